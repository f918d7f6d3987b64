import { Entries } from "../../islands/screens/reference/call-reference.tsx";
import { verdictOutcomes } from "../reference/call.ts";
import { type SdkFile, sdkFiles, vectorsName } from "../reference/sdk-files.ts";

/**
 * The SDKs, on the API pages and in /swagger. It is no island: nothing in it needs a script, and the pages of the API
 * have no room for the texts of eight languages in theirs.
 */
export function SdkSection() {
  return (
    <section aria-labelledby="sdks" className="mb-10 border-b border-line pb-8">
      <h2 id="sdks" className="text-lg font-semibold tracking-tight">
        Start with an SDK
      </h2>
      <Sdks />
      <p className="mt-4 max-w-2xl text-muted">
        The bare call below is for games that cannot use one. A verdict that a game stores itself can be edited on the
        phone; a proof cannot.
      </p>
    </section>
  );
}

const start = `const latchkey = await open({ addresses, game, pins, store: indexedDbStore() });
const { state, message } = await latchkey.check(key);
if (state === "PLAY" || state === "PLAY_OFFLINE") play();`;

const { VALID: _, ...refusals } = verdictOutcomes;

/** What a game shows for each state, and for each code of a refusal. */
const results = Object.entries({
  PLAY: "Let the player in.",
  PLAY_OFFLINE:
    "Let the player in. Show “offline” unless the code is NOT_ASKED, with which the first attempt has not ended yet.",
  UNKNOWN: "Show message, or that the server cannot be reached where there is none, and let the player try again.",
  REFUSED: "Stop, and show message. It says why, in the player’s language. By code:",
  ...refusals,
}).map(([term, description]) => ({ term, description }));

const keysPath = "/.well-known/latchkey-keys";

const links = {
  [keysPath]: "This server’s signing keys",
  [`/sdk/${vectorsName}`]: `Test cases: ${vectorsName}`,
  "/sdk/SHA256SUMS": "SHA256SUMS",
};

export function Sdks() {
  return (
    <>
      <p className="mt-1 mb-3 max-w-2xl text-muted">
        One file per language: read it, then add it to your game. Three lines are enough:
      </p>
      <Code label="Three lines of TypeScript" code={start} />
      <p className="mt-3 max-w-2xl text-muted">
        The pins are this server&rsquo;s <code translate="no">active</code> and <code translate="no">next</code> signing
        keys, at <code translate="no">{keysPath}</code>. Build them in, and never fetch them while the game runs. An SDK
        sends a nonce and lets a player in only on a proof that the server has signed, so a fake server can&rsquo;t. All
        SDKs follow the same test cases.
      </p>
      <p className="mt-3 max-w-2xl text-muted">
        Check at the start, and every minute while playing: each file begins with the whole loop. While the lease of the
        last proof is running, a check needs no network and returns at once.
      </p>
      <p className="mt-3 max-w-2xl text-muted">
        A device id should survive a reinstall, or each one takes a slot. The starts for Java, Unity, Flutter and C++
        pass ANDROID_ID on Android, which the files cannot read themselves. The file for Swift makes it of a UUID in the
        Keychain; those for Java, C#, C++, Python and Lua make it of MachineGuid on Windows; elsewhere it is a stored
        random id. A source that is already stored stays in use, so an update of a released game takes no second slot.
        What is sent is a hash of it and of the game&rsquo;s name in your build. Never change that name, even if the
        game is renamed here.
      </p>
      <div className="mt-6 grid gap-3">
        {sdkFiles().map((sdk) => (
          <Sdk key={sdk.name} sdk={sdk} />
        ))}
      </div>
      <details className="mt-3 min-w-0 rounded-lg border border-line bg-card">
        <summary className="min-h-(--hit) cursor-pointer px-4 py-3 font-medium">What to show</summary>
        <div className="max-w-2xl px-4 pb-4">
          <Entries entries={results} />
        </div>
      </details>
      <ul className="mt-4 flex flex-wrap gap-x-5">
        {Object.entries(links).map(([address, label]) => (
          <li key={address}>
            <a href={address} className="inline-flex min-h-(--hit-small) items-center underline">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Sdk({ sdk: { name, title, version, sha256, start, notes } }: { sdk: SdkFile }) {
  return (
    <details className="min-w-0 rounded-lg border border-line bg-card">
      <summary className="min-h-(--hit) cursor-pointer px-4 py-3 font-medium">{title}</summary>
      <div className="grid min-w-0 gap-3 px-4 pb-4">
        <p className="text-muted">
          <a href={`/sdk/${name}`} className="inline-flex min-h-(--hit-small) items-center underline">
            {name}
          </a>
          {` · version ${version}`}
        </p>
        {notes.map((note) => (
          <p key={note} className="max-w-2xl text-muted">
            {note}
          </p>
        ))}
        <Code label={`Start with ${name}`} code={start} />
        <p className="text-sm text-muted">
          SHA-256{" "}
          <code translate="no" className="key-text break-all">
            {sha256}
          </code>
        </p>
      </div>
    </details>
  );
}

function Code({ label, code }: { label: string; code: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section tabIndex={0} aria-label={label} className="overflow-x-auto rounded-md bg-raised p-3">
      <pre>
        <code translate="no" className="key-text block w-max leading-5">
          {code}
        </code>
      </pre>
    </section>
  );
}
