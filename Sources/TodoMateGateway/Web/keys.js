// Keys that work wherever nobody is typing.

/** `actions`: what to do by the key, as it is labelled on a Latin keyboard. */
export function listenForKeys(model, actions) {
  document.addEventListener('keydown', (event) => {
    const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
    if (isTaken || model.place !== 'board' || document.querySelector('dialog[open]')) return;
    if (event.target.matches('input, textarea, select')) return;
    // With a Korean layout the N key gives ㅜ: then it counts where the key lies.
    const isLatin = event.key.charCodeAt(0) < 0x80;
    const action = actions[isLatin ? event.key : event.code.replace('Key', '').toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
