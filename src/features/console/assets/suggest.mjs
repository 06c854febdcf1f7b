// What Find suggests while somebody types: a combobox with a list (WAI-ARIA). Without this script
// Find is a box and a button.
{
  const WAIT_MS = 150;
  const SHORTEST = 2;
  let field = null;
  let list = null;
  let state = null;
  let chosen = -1;
  let timer = 0;
  let asking = null;

  const options = () => [...(list?.children ?? [])];

  const choose = (at) => {
    chosen = at;
    options().forEach((option, place) => {
      option.setAttribute('aria-selected', String(place === at));
      if (place === at) option.scrollIntoView({ block: 'nearest' });
    });
    if (at < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', options()[at].id);
  };

  const close = () => {
    clearTimeout(timer);
    asking?.abort();
    if (list === null) return;
    list.hidden = true;
    list.replaceChildren();
    field.setAttribute('aria-expanded', 'false');
    state.textContent = '';
    choose(-1);
  };

  /** Makes a box the combobox, with its list below it. */
  const begin = (box) => {
    if (field === box) return;
    close();
    list?.remove();
    state?.remove();
    field = box;
    list = document.createElement('ul');
    state = document.createElement('span');
    Object.assign(list, { id: 'suggestions', className: 'suggestions', hidden: true });
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Suggestions');
    state.className = 'unseen';
    state.setAttribute('aria-live', 'polite');
    box.autocomplete = 'off';
    const roles = { role: 'combobox', expanded: 'false', controls: list.id, autocomplete: 'list' };
    for (const [name, value] of Object.entries(roles)) {
      box.setAttribute(name === 'role' ? name : `aria-${name}`, value);
    }
    box.after(list, state);
    list.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const option = event.target.closest('[role=option]');
      if (event.button === 0 && option !== null) location.assign(option.dataset.href);
    });
  };

  const ask = async () => {
    const text = field.value.trimStart();
    if (text.trim().length < SHORTEST) return close();
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const address = new URL(field.dataset.suggest, location.href);
    address.searchParams.set('q', text);
    try {
      const answer = await fetch(address, { signal });
      const html = answer.ok && !answer.redirected ? await answer.text() : '';
      if (signal.aborted || document.activeElement !== field) return;
      // The service has escaped all names, and the page runs nothing of its own.
      list.innerHTML = html;
      const { length } = options();
      list.hidden = length === 0;
      field.setAttribute('aria-expanded', String(length > 0));
      state.textContent = length === 0 ? '' : `${length} suggested`;
      choose(-1);
    } catch {
      // Somebody typed on, or the service does not answer: Find answers without suggestions too.
    }
  };

  document.addEventListener('input', ({ target }) => {
    if (!target.matches('[data-suggest]')) return;
    begin(target);
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });

  const KEYS = {
    ArrowDown: () => choose(chosen + 1 < options().length ? chosen + 1 : -1),
    ArrowUp: () => choose(chosen < 0 ? options().length - 1 : chosen - 1),
    Enter: () => location.assign(options()[chosen].dataset.href),
    Escape: close,
  };

  // Before other short cuts of the page.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.target !== field || list === null || list.hidden || event.isComposing) return;
      const act = KEYS[event.key];
      if (act === undefined || (event.key === 'Enter' && chosen < 0)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      act();
    },
    true,
  );

  document.addEventListener('focusout', ({ target }) => target === field && close());
}
