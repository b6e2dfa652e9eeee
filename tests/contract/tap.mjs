// The little TAP that the tests here need: cases run one after the other, a failed one is told with
// its reason, and one that does not end within its time fails.
const cases = [];
const LIMIT_MS = 60000;

export function test(name, body) {
  cases.push({ name, body });
}

function within(promise, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export async function run() {
  console.log(`1..${cases.length}`);
  let failed = 0;
  for (const [i, { name, body }] of cases.entries()) {
    try {
      await within(body(), LIMIT_MS);
      console.log(`ok ${i + 1} - ${name}`);
    } catch (error) {
      failed++;
      console.log(`not ok ${i + 1} - ${name}`);
      for (const line of String(error.stack ?? error).split('\n')) console.log(`# ${line}`);
    }
  }
  return failed ? 1 : 0;
}
