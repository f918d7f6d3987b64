/*
 * Keys that an input method handles: Enter takes its suggestion, Esc drops it. They must not also choose, submit or
 * close something. Safari ends the composition before it reports the key, which then has the code 229.
 */
window.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  },
  { capture: true },
);
