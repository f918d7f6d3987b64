import { adminLogin } from "../../process.ts";
import { supervise } from "../harness/supervisor.ts";
import { type Action, type HttpRequest, requestOf, type Selection } from "./actions.ts";
import { affectedKeys, deviceChecks } from "./affected-keys.ts";
import type { Choice, Context } from "./context.ts";
import { explain, type HttpResponse, type Step } from "./explain.ts";
import { selectedIn } from "./selection-rules.ts";
import { findKey, initialState, type State } from "./state.ts";
import { possibleBodiesOf, type SurveyEntry, surveyViews } from "./survey.ts";
import { createTranscript } from "./transcript.ts";

/** The real server, together with the model states that are consistent with its responses. */
export interface Simulation {
  /**
   * Sends the chosen actions at once, and with `killAfterMs` kills the server with -9 meanwhile. If watched, connected devices of the
   * affected keys verify before, so that they are cached, and after. Throws `Difference` if no state explains the responses.
   */
  step(choices: Choice[], how: { killAfterMs: number | null; isWatched: boolean }): Promise<void>;
  /** Reads everything and compares it with the model. Throws `Difference`. */
  checkEverything(): Promise<void>;
  readonly figures: { actions: number; kills: number; unanswered: number };
  /** Kills the server and checks the integrity of its database. */
  end(): Promise<void>;
}

/** The rules and the product disagree. The message is the transcript so far and the violated rules. */
export class Difference extends Error {
  override readonly name = "Difference";
}

const responseMsMax = 15_000;
const recentKeysMax = 3;
const deviceChecksMax = 3;

export async function startSimulation(): Promise<Simulation> {
  const server = await supervise();
  const transcript = createTranscript();
  const figures = { actions: 0, kills: 0, unanswered: 0 };
  const retryable: Context["retryable"] = [];
  const recentKeys: number[] = [];
  const selections: Selection[] = [];
  const adminCookie = (await send({ method: "POST", path: "/api/auth/admin/login", body: adminLogin })).cookie;
  transcript.signedIn(adminCookie, "admin");
  let states = [initialState(adminCookie)];

  return {
    figures,
    checkEverything,
    async end() {
      await server.kill();
      await server.stored.assertIntegrity().finally(server.close);
    },

    async step(choices, { killAfterMs, isWatched }) {
      const state = states[0] as State;
      const actions = choices.map((choose) => choose({ state, adminCookie, recentKeys, retryable, selections }));
      const checks = isWatched ? deviceChecks(state, actions).slice(0, deviceChecksMax) : [];
      for (const check of checks) await perform([check], null);
      await perform(actions, killAfterMs);
      for (const check of checks) await perform([{ ...check, isPreview: true }], null);
    },
  };

  async function perform(actions: Action[], killAfterMs: number | null): Promise<void> {
    const from = Date.now();
    const sending = actions.map((action) => send(requestOf(action, adminCookie)).catch(() => null));
    if (killAfterMs !== null) {
      await Bun.sleep(killAfterMs);
      await server.kill();
    }
    const responses = await Promise.all(sending);
    const to = Date.now();
    const done = actions.map((action, index) => ({ action, response: responses[index] ?? null }));
    remember(done);
    const before = states;
    if (killAfterMs === null) {
      if (responses.includes(null)) throw differenceFrom(["the server was not killed, but did not respond"]);
      accept({ actions: done, from, to, possibleBodies: () => [] });
      // Several orders are possible: reading everything narrows them down.
      if (states.length > before.length) await checkEverything();
      else if (states.length === 1) await keepSelection(done);
      return;
    }
    transcript.killed();
    figures.kills += 1;
    await server.start();
    const found = await survey(actions.flatMap((action) => affectedKeys(before[0] as State, action)));
    accept({
      actions: done,
      from,
      to,
      possibleBodies: (action) => possibleBodiesOf(found, action, before[0] as State),
    });
    compare(found);
  }

  async function checkEverything(): Promise<void> {
    compare(await survey());
  }

  /** A mark identifies keys as they were at its millisecond, so nothing else may happen within that millisecond. */
  async function keepSelection(done: Step["actions"]): Promise<void> {
    const [{ action, response }] = done as [Step["actions"][number]];
    if (action.type !== "select" || done.length > 1 || response?.status !== 200) return;
    const state = states[0] as State;
    const account = state.sessions.get(action.by) as number;
    const keys = selectedIn(state, account, action.which) ?? [];
    const revoked = keys.filter(({ revokedBy }) => revokedBy !== null).map(({ id }) => id);
    selections.push({
      which: action.which,
      mark: response.body.mark,
      account,
      keys: keys.map(({ id }) => id),
      revoked,
    });
    await Bun.sleep(2);
  }

  async function survey(keyIds: number[] = []): Promise<SurveyEntry[]> {
    const found: SurveyEntry[] = [];
    for (const view of surveyViews(found, [...new Set(keyIds)])) {
      const from = Date.now();
      const response = await send(requestOf({ type: "read", by: adminCookie, view }, adminCookie));
      found.push({ view, response, from, to: Date.now() });
    }
    return found;
  }

  function compare(found: SurveyEntry[]): void {
    for (const { view, response, from, to } of found) {
      const action: Action = { type: "read", by: adminCookie, view };
      const step = { actions: [{ action, response }], from, to, possibleBodies: () => [] };
      if (explain(states, step).states.length === 0)
        transcript.together([{ request: requestOf(action, adminCookie), response }]);
      accept(step);
    }
  }

  function accept(step: Step): void {
    const explained = explain(states, step);
    if (explained.states.length === 0) throw differenceFrom(explained.violations);
    states = explained.states;
    for (const { tokens, keys } of states) transcript.defineVariables(tokens.values(), keys.values());
  }

  function remember(done: Step["actions"]): void {
    figures.actions += done.length;
    figures.unanswered += done.filter(({ response }) => response === null).length;
    transcript.together(done.map(({ action, response }) => ({ request: requestOf(action, adminCookie), response })));
    for (const { action, response } of done) {
      const key =
        action.type === "verify"
          ? findKey(states[0] as State, action.key)?.id
          : "key" in action
            ? action.key
            : undefined;
      if (key !== undefined) recentKeys.splice(0, Math.max(0, recentKeys.push(key) - recentKeysMax));
      if (action.type === "generate" && action.idempotencyKey !== null) retryable.push(action);
      if (action.type === "signIn" && response?.cookie) transcript.signedIn(response.cookie, action.username);
    }
  }

  function differenceFrom(violations: string[]): Difference {
    const rules = "No order of the last actions satisfies the rules:";
    return new Difference(`${transcript.text()}\n\n${[rules, ...violations].join("\n- ")}`);
  }

  async function send({ method, path, body, cookie, headers }: HttpRequest): Promise<HttpResponse> {
    const fetched = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(cookie && { cookie }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(responseMsMax),
    });
    const [pair = ""] = fetched.headers.getSetCookie().map((set) => set.split(";")[0] ?? "");
    return { status: fetched.status, body: await fetched.json(), cookie: pair };
  }
}
