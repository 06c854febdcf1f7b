// The file of a plan stays chosen for its push, until somebody leaves the page. Without this script
// one chooses it again. The service stores no files.
{
  let isSending = false;

  /** Shows the plan in place of the form, and chooses its file for the push. */
  const show = (html, file) => {
    const page = new DOMParser().parseFromString(html, 'text/html');
    const main = page.querySelector('main');
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

  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!form.matches('form[data-plan]')) return;
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    form.ariaBusy = 'true';
    try {
      const [file] = form.querySelector('input[type=file]').files;
      const answer = await fetch(form.action, { method: 'POST', body: new FormData(form) });
      if (answer.redirected) location.assign(answer.url);
      else show(await answer.text(), file);
    } catch {
      // The browser says itself what is wrong, such as a file that changed meanwhile.
      form.submit();
    } finally {
      isSending = false;
    }
  });
}
