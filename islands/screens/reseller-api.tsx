import type { Language, Samples } from "../../src/reference/call.ts";
import { deviceIdSamples } from "../../src/reference/device-id-samples.ts";
import { verifyCall } from "../../src/reference/verify-call.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { CallReference } from "./reference/call-reference.tsx";
import { AddressNote, useReading } from "./reference/reading.tsx";
import { KeyTrial } from "./reference/trials.tsx";

/** /reseller/api (rules.md: API pages). */
export default function ResellerApiScreen({ language }: { language: Language }) {
  const reading = useReading(language);
  return (
    <>
      <AddressNote reading={reading} />
      <CallReference call={verifyCall} givesVerdict reading={reading} trial={<KeyTrial />} />
      <IntegrationGuide language={reading.language} />
    </>
  );
}

function IntegrationGuide({ language }: { language: Language }) {
  return (
    <section className="@container mt-10 border-t border-line pt-8">
      <h2 className="text-lg font-semibold tracking-tight">Integration Guide</h2>
      <p className="mt-1 max-w-2xl text-muted">Four steps to a game that checks its key.</p>
      <ol className="mt-6 grid gap-8">
        {steps.map(({ title, text, code, samples }, index) => (
          <li key={title} className="grid gap-x-8 gap-y-4 @3xl:grid-cols-2">
            <div className="flex gap-3">
              <span
                aria-hidden
                className="figures grid size-7 shrink-0 place-items-center rounded-full border border-edge bg-raised text-sm font-medium"
              >
                {index + 1}
              </span>
              <div className="min-w-0">
                <h3 className="pt-1 font-medium">{title}</h3>
                <p className="mt-1.5 text-muted">{text}</p>
              </div>
            </div>
            <CodeBlock
              title={`Step ${index + 1}`}
              code={language === "curl" ? code : (samples?.[language] ?? code)}
              copyLabel={`Copy step ${index + 1}`}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Step {
  title: string;
  text: string;
  /** In JavaScript. */
  code: string;
  samples?: Samples;
}

/** The code of the four steps builds on `verifyKey` above and on each other; a test runs all of it together. */
export const steps: Step[] = [
  {
    title: "Generate a unique device ID",
    text: "It must survive a reinstall: a device whose ID changes counts as a new one and takes a second slot. Take ANDROID_ID on Android, a UUID in the Keychain on iOS, MachineGuid on Windows, a random ID in IndexedDB on the web, and send only its hash with the game's name. Keep that name as it is here, even if the game is renamed. Without a source, keep a random one.",
    code: deviceIdSamples.javascript,
    samples: deviceIdSamples,
  },
  {
    title: "Store the key securely",
    text: "Keep the key where only your app can read it: the Keychain on iOS, the Keystore on Android. Never write it to a log or put it in a URL. In a browser, local storage is the only option.",
    code: `function storeKey(key) {
  localStorage.setItem("licenseKey", key.trim());
}

function storedKey() {
  return localStorage.getItem("licenseKey");
}`,
  },
  {
    title: "Verify on startup, tolerate offline",
    text: "Verify at every start. Offline, which means no response or a 5xx, use the last verdict on the same key for at most 24 hours, so that people can play on a train. A verdict that is kept like this can be edited on the phone; the proof that an SDK keeps cannot. Send one request at a time.",
    code: `let running = null;

function mayPlay(game) {
  running ??= checked(game).finally(() => {
    running = null;
  });
  return running;
}

async function checked(game) {
  const key = storedKey();
  if (!key) return false;
  try {
    const verdict = await verifyKey(key, game, await deviceId(game));
    const kept = { ...verdict, key, at: Date.now() };
    localStorage.setItem("verdict", JSON.stringify(kept));
    return verdict.valid;
  } catch (error) {
    if (error.status < 500) throw error;
    const kept = localStorage.getItem("verdict");
    const last = JSON.parse(kept ?? "{}");
    if (last.key !== key || !last.valid) return false;
    const dayLater = last.at + 24 * 60 * 60 * 1000;
    const until = Math.min(Date.parse(last.expiry), dayLater);
    return Date.now() >= last.at && Date.now() < until;
  }
}`,
  },
  {
    title: "Handle errors",
    text: "Retry only where it can help: after 429, 500, 503 or no response, when Retry-After says so, or after random pauses that may grow longer. Do not let the player wait for more than ten seconds: show when to try again. Any other status means that the request is wrong. Show the player the verdict's message, but decide by its code.",
    code: `function pause(seconds) {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}

async function verifyWithRetry(key, game, deviceId) {
  for (const seconds of [1, 2, 4]) {
    try {
      return await verifyKey(key, game, deviceId);
    } catch (error) {
      const { status = 503, retryAfter } = error;
      const wait = Number(retryAfter) || seconds * Math.random();
      if (wait > 10 || (status < 500 && status !== 429)) throw error;
      await pause(wait);
    }
  }
  return verifyKey(key, game, deviceId);
}`,
  },
];
