// A file that somebody chooses is planned at once, if its form is complete. It stays chosen for its
// push, until somebody leaves the page. Without this script one presses the button, and chooses the
// file again. The service stores no files.
{
  let isSending = false;

  /** Shows the plan in place of the form, and chooses its file for the push. Throws if it is no page. */
  const show = (html, file) => {
    const page = new DOMParser().parseFromString(html, 'text/html');
    const main = page.querySelector('main');
    // Who answers may be a proxy. The form has to stay in the document, so that the browser can send it.
    if (main === null) throw new Error('The answer has no page of the service.');
    document.title = page.title;
    document.querySelector('main').replaceWith(main);
    const input = main.querySelector('form[data-push] input[type=file]');
    if (input !== null) {
      const chosen = new DataTransfer();
      chosen.items.add(file);
      input.files = chosen.files;
      for (const hint of main.querySelectorAll('[data-kept]')) hint.hidden = false;
    }
    scrollTo(0, 0);
    main.focus();
  };

  /** Says below a form that it is sent. Nobody changes the form meanwhile. */
  const begin = (form) => {
    const state = document.createElement('p');
    state.setAttribute('role', 'status');
    form.after(state);
    state.textContent = 'The service reads the file …';
    form.ariaBusy = 'true';
    form.inert = true;
    return () => {
      state.remove();
      form.ariaBusy = 'false';
      form.inert = false;
    };
  };

  // A form that is not complete is not sent: the browser says what it lacks. Who chose no file, and
  // left the window again, has sent nothing either.
  document.addEventListener('change', ({ target }) => {
    if (target.matches('form[data-plan] input[type=file]') && target.files.length > 0) {
      target.form.requestSubmit();
    }
  });

  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!form.matches('form[data-plan]')) return;
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const end = begin(form);
    try {
      const [file] = form.querySelector('input[type=file]').files;
      const answer = await fetch(form.action, { method: 'POST', body: new FormData(form) });
      if (answer.redirected) location.assign(answer.url);
      else show(await answer.text(), file);
    } catch {
      // The browser says itself what is wrong, such as a file that changed meanwhile, or shows the answer.
      form.submit();
    } finally {
      isSending = false;
      end();
    }
  });
}
