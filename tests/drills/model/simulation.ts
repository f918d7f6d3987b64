import { adminLogin } from "../../process.ts";
import { createSteppedClock } from "../harness/stepped-clock.ts";
import { supervise } from "../harness/supervisor.ts";
import { type Action, type HttpRequest, requestOf, type Selection, type View } from "./actions.ts";
import { affectedKeys, deviceChecks, keysByExpiry } from "./affected-keys.ts";
import { aheadMsMax, type ClockStep, sessionMsMax, stepMsMax, stepsMsMax } from "./clock-steps.ts";
import type { Choice, Context } from "./context.ts";
import { endedInterventions, hasEnded } from "./ended-interventions.ts";
import { clockSlackMs, explain, type HttpResponse, type Step } from "./explain.ts";
import { settingPrices } from "./prices.ts";
import { mayRevoke, selectedIn } from "./selection-rules.ts";
import { adminId, expiriesOf, findKey, initialState, put, refundDays, type State, without } from "./state.ts";
import {
  eventTimesIn,
  listViews,
  possibleBodiesOf,
  replacedIn,
  replacementViews,
  type SurveyEntry,
  surveyViews,
  timeViews,
} from "./survey.ts";
import { isIntervention, oneSweep, setsTime } from "./sweeps.ts";
import { createTranscript } from "./transcript.ts";

/** The real server, together with the model states that are consistent with its responses. */
export interface Simulation {
  /**
   * Sends the chosen actions at once, and with `killAfterMs` kills the server with -9 meanwhile. If watched, connected
   * devices of the affected keys verify before, so that they are cached, and after. With `clockStep`, a killed server's
   * clock steps before its next start. Throws `Difference` if no state explains the responses.
   */
  step(
    choices: Choice[],
    how: { killAfterMs: number | null; isWatched: boolean; clockStep?: ClockStep | null },
  ): Promise<void>;
  /**
   * Steps the clock while no request is under way. Devices of the keys that expire next verify before, so that these
   * are cached, and after. Throws `Difference`.
   */
  stepClock(clockStep: ClockStep): Promise<void>;
  /** Reads everything and compares it with the model. Throws `Difference`. */
  checkEverything(): Promise<void>;
  readonly figures: { actions: number; kills: number; unanswered: number; clockSteps: number };
  /** Kills the server and checks the integrity of its database. */
  end(): Promise<void>;
}

/** The rules and the product disagree. The message is the transcript so far and the violated rules. */
export class Difference extends Error {
  override readonly name = "Difference";
}

const responseMsMax = 15_000;
const recentKeysMax = 3;

/** How often an unfinished intervention is read before it counts as stuck. */
const readsMax = 1_000;

/** A server from source has a clock that can step; the executable's steps are left out. */
export async function startSimulation({ isFromSource }: { isFromSource: boolean }): Promise<Simulation> {
  const clock = createSteppedClock();
  const environment = { REFUND_DAYS: String(refundDays) };
  const server = await supervise(
    isFromSource ? { ...clock, environment: { ...clock.environment, ...environment } } : { environment },
  );
  const transcript = createTranscript();
  const figures = { actions: 0, kills: 0, unanswered: 0, clockSteps: 0 };
  const retryable: Context["retryable"] = [];
  const recentKeys: number[] = [];
  const selections: Selection[] = [];
  const openedAt = new Map<string, number>();
  let aheadMsAtStart = 0;
  let adminCookie = await signInAdmin();
  for (const request of settingPrices(adminCookie)) {
    transcript.together([{ request, response: await send(request) }]);
  }
  let states = [initialState(adminCookie)];

  return {
    figures,
    checkEverything,
    async end() {
      await server.kill();
      clock.remove();
      await server.stored.assertIntegrity().finally(server.close);
    },

    async step(choices, { killAfterMs, isWatched, clockStep }) {
      const actions = oneSweep(choices.map((choose) => choose(context())));
      const checks = isWatched ? deviceChecks(states[0] as State, affected(actions)) : [];
      for (const check of checks) await perform([check]);
      await perform(actions, { killAfterMs, clockStep });
      for (const check of checks) await perform([{ ...check, isPreview: true }]);
    },

    async stepClock(clockStep) {
      if (!isFromSource) return;
      const state = states[0] as State;
      const checks = deviceChecks(state, keysByExpiry(state, clock.now()));
      for (const check of checks) await perform([check]);
      const until = clock.now() + clockStep(context());
      for (let leftMs = until - clock.now(); leftMs > 0; leftMs = until - clock.now()) {
        const isLast = leftMs <= stepMsMax;
        if (!setClock(() => leftMs)) return;
        if (isLast) for (const check of checks) await perform([check]);
        await touchSessions();
        if (isLast) return;
      }
    },
  };

  function context(): Context {
    return { state: states[0] as State, now: clock.now(), adminCookie, recentKeys, retryable, selections };
  }

  function affected(actions: Action[]): number[] {
    return actions.flatMap((action) => affectedKeys(states[0] as State, action, clock.now()));
  }

  /** Returns whether the clock stepped. */
  function setClock(clockStep: ClockStep): boolean {
    const aheadMs = clock.aheadMs() + Math.min(clockStep(context()), stepMsMax);
    if (!isFromSource || aheadMs > aheadMsMax) return false;
    clock.setAhead(aheadMs);
    transcript.clockStepped(aheadMs);
    figures.clockSteps += 1;
    return true;
  }

  /**
   * A session that is not used would end, and one that is old ends anyway. The token is for the server's clock, which
   * must not be far ahead of the newest row.
   */
  async function touchSessions(): Promise<void> {
    await perform([{ type: "issueToken", credits: 0 }]);
    const isOld = (cookie: string) => clock.now() - (openedAt.get(cookie) ?? 0) > sessionMsMax;
    if (isOld(adminCookie)) await renewAdminSession();
    const { sessions, resellers } = states[0] as State;
    for (const [by, account] of sessions) {
      const { username } = resellers.get(account) ?? {};
      const view = { list: username === undefined ? "stats" : "profile" } as const;
      if (username === undefined || !isOld(by)) {
        await perform([{ type: "read", by, view }]);
        continue;
      }
      await perform([{ type: "signOut", by }]);
      await perform([{ type: "signIn", username }]);
    }
    if (clock.aheadMs() - aheadMsAtStart <= stepsMsMax) return;
    await server.kill();
    transcript.killed();
    await start();
  }

  async function start(): Promise<void> {
    aheadMsAtStart = clock.aheadMs();
    await server.start();
  }

  async function signInAdmin(): Promise<string> {
    const { cookie } = await send({ method: "POST", path: "/api/auth/admin/login", body: adminLogin });
    transcript.signedIn(cookie, "admin");
    openedAt.set(cookie, clock.now());
    return cookie;
  }

  async function renewAdminSession(): Promise<void> {
    const earlier = adminCookie;
    adminCookie = await signInAdmin();
    for (const order of retryable) if (order.by === earlier) order.by = adminCookie;
    states = states.map((state) => {
      const others = without(state.sessions, (_, cookie) => cookie === earlier);
      return { ...state, sessions: put(others, adminCookie, adminId) };
    });
  }

  async function perform(
    actions: Action[],
    { killAfterMs = null, clockStep }: { killAfterMs?: number | null; clockStep?: ClockStep | null } = {},
  ): Promise<void> {
    const from = clock.now();
    const touched = affected(actions.filter(setsTime));
    const sending = actions.map((action) => send(requestOf(action, adminCookie)).catch(() => null));
    if (killAfterMs !== null) {
      await Bun.sleep(killAfterMs);
      await server.kill();
    }
    const responses = await Promise.all(sending);
    const to = clock.now();
    const done = actions.map((action, index) => ({ action, response: responses[index] ?? null }));
    remember(done);
    const before = states;
    if (killAfterMs === null) {
      if (responses.includes(null)) throw differenceFrom(["the server was not killed, but did not respond"]);
      const ended = await withEnds(done);
      const endedAt = clock.now();
      const found = await look(timeViews([...touched, ...madeIn(done)]));
      const eventTimes = eventTimesIn(found, from - clockSlackMs);
      const isReplaced = actions.some(({ type }) => type === "replace");
      const listed = isReplaced ? await look(replacementViews(before[0] as State)) : [];
      const replaced = replacedIn(listed);
      accept({ actions: ended, from, to, endedAt, eventTimes, replaced, possibleBodies: () => [] });
      compare([...found, ...listed]);
      // Several orders are possible: reading everything narrows them down.
      if (states.length > before.length) await checkEverything();
      else if (ended.some(({ action }) => isIntervention(action))) compare(await look(listViews(before[0] as State)));
      else if (states.length === 1) await keepSelection(done, { from, to });
      return;
    }
    transcript.killed();
    figures.kills += 1;
    const hasStepped = clockStep ? setClock(clockStep) : false;
    await start();
    const ended = await withEnds(done);
    const endedAt = clock.now();
    const found = await survey(affected(actions));
    accept({
      actions: ended,
      ...{ from, to, endedAt },
      eventTimes: eventTimesIn(found, from - clockSlackMs),
      replaced: replacedIn(found),
      possibleBodies: (action) => possibleBodiesOf(found, action, before[0] as State),
    });
    compare(found);
    if (hasStepped) await touchSessions();
  }

  /** Waits until all interventions have ended. */
  async function withEnds(done: Step["actions"]): Promise<Step["actions"]> {
    if (!done.some(({ action }) => isIntervention(action))) return done;
    const view = { list: "interventions" } as const;
    for (let reads = 0; reads < readsMax; reads += 1) {
      const { body } = await send(requestOf({ type: "read", by: adminCookie, view }, adminCookie));
      if (body.every(hasEnded)) return endedInterventions(done, states[0] as State, body);
      await Bun.sleep(10);
    }
    throw differenceFrom(["an intervention does not end"]);
  }

  async function checkEverything(): Promise<void> {
    compare(await survey());
  }

  /**
   * A mark identifies keys as they were at its millisecond, so nothing else may happen, and no key may expire, within
   * that millisecond.
   */
  async function keepSelection(done: Step["actions"], { from, to }: { from: number; to: number }): Promise<void> {
    const [{ action, response }] = done as [Step["actions"][number]];
    if (action.type !== "select" || done.length > 1 || response?.status !== 200) return;
    const state = states[0] as State;
    const account = state.sessions.get(action.by) as number;
    const keys = selectedIn(state, account, action.which) ?? [];
    const isNear = (at: number) => at >= from - clockSlackMs && at <= to + clockSlackMs;
    if (keys.some((key) => expiriesOf(key).some(isNear))) return;
    const revoked = keys.filter(({ revokedBy }) => revokedBy !== null).map(({ id }) => id);
    selections.push({
      which: action.which,
      mark: response.body.mark,
      account,
      keys: keys.map(({ id }) => id),
      revoked,
      toRevoke: keys.filter((key) => mayRevoke(account, key, to)).length,
      at: to,
      extension: action.duration ? { duration: action.duration, count: response.body.toExtend } : null,
    });
    await Bun.sleep(2);
  }

  async function survey(keyIds: number[] = []): Promise<SurveyEntry[]> {
    return look((found) => surveyViews(found, [...new Set(keyIds)], states[0] as State));
  }

  async function look(views: (found: SurveyEntry[]) => Iterable<View>): Promise<SurveyEntry[]> {
    const found: SurveyEntry[] = [];
    for (const view of views(found)) {
      const from = clock.now();
      const response = await send(requestOf({ type: "read", by: view.by ?? adminCookie, view }, adminCookie));
      found.push({ view, response, from, to: clock.now() });
    }
    return found;
  }

  function compare(found: SurveyEntry[]): void {
    for (const { view, response, from, to } of found) {
      const action: Action = { type: "read", by: view.by ?? adminCookie, view };
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
      if ("idempotencyKey" in action && action.idempotencyKey !== null) retryable.push(action);
      if (action.type === "signIn" && response?.cookie) {
        transcript.signedIn(response.cookie, action.username);
        openedAt.set(response.cookie, clock.now());
      }
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

/** The keys that were made, whose time another action may have changed at the same time. */
function madeIn(done: Step["actions"]): number[] {
  if (!done.some(({ action }) => setsTime(action))) return [];
  return done.flatMap(({ action, response }) => {
    const made = action.type === "generate" ? ((response?.body?.keys ?? []) as { id: number }[]) : [];
    return made.map(({ id }) => id);
  });
}
