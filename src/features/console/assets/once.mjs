// A second click on a form that makes something would throw the answer of the first away. Without
// this script the service makes one thing nevertheless, and the second answer says so.
{
  let sent = new WeakSet();

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!form.matches('form[data-once]')) return;
    if (sent.has(form)) return event.preventDefault();
    sent.add(form);
  });
  // A page that comes back with Back may be sent again: its ids say what it has made.
  addEventListener('pageshow', () => (sent = new WeakSet()));
}
