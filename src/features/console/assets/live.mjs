// The newest events as they happen. Without it the page has a list, and a link that loads it again.
{
  const MOST = 50;
  const list = document.querySelector('[data-live]');
  const state = document.querySelector('[data-live-state]');
  let source = null;
  let place = '';

  const add = ({ data, lastEventId }) => {
    place = lastEventId;
    const made = document.createElement('template');
    // The service has escaped all names, and the page runs nothing of its own.
    made.innerHTML = data;
    const [item] = made.content.children;
    if (document.getElementById(item.id) !== null) return;
    list.prepend(item);
    while (list.children.length > MOST) list.lastElementChild.remove();
  };

  const close = () => {
    source?.close();
    source = null;
  };

  const open = () => {
    if (source !== null) return;
    const address = new URL(list.dataset.live, location.href);
    if (place !== '') address.searchParams.set('last_event_id', place);
    source = new EventSource(address);
    source.addEventListener('message', add);
    source.addEventListener('place', ({ lastEventId }) => (place = lastEventId));
    source.addEventListener('open', () => (state.textContent = 'Live.'));
    source.addEventListener('error', () => {
      const isOver = source?.readyState === EventSource.CLOSED;
      state.textContent = isOver ? 'No longer live.' : 'Connects again …';
    });
  };

  if (list !== null) {
    open();
    // A browser has few connections, so pages that nobody sees hold none.
    document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  }
}
