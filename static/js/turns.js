// Long work in turns: between two of them the browser answers whoever presses something, and paints.

/** So many milliseconds a turn may take before the next one is waited for. */
const LONGEST = 30;

/** Let the browser do first what waits. A message comes at once also in a tab that nobody looks at, where timers are slow. */
export function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** What a loop waits for after each of its steps: nothing, until its turn is over. */
export function turns() {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < LONGEST) return;
    await turn();
    begun = performance.now();
  };
}

/** Do something for each of many, in turns. */
export async function inTurns(items, act) {
  const pause = turns();
  for (const item of items) {
    act(item);
    await pause();
  }
}
