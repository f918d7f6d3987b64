import { adminLogin } from "../../process.ts";
import { supervise } from "../harness/supervisor.ts";
import { type Act, requestOf, type Selection, type Sent } from "./acts.ts";
import { explain, type Step, type Told } from "./explain.ts";
import type { Choice, Scene } from "./scene.ts";
import { selectedIn } from "./selection-rules.ts";
import { createStory } from "./story.ts";
import { bodiesIn, type Found, viewsOf } from "./survey.ts";
import { devicesOf, keysConcernedBy } from "./watch.ts";
import { keyNamed, newWorld, type World } from "./world.ts";

/** The real server, and the worlds that explain it, side by side. */
export interface Play {
  /**
   * Does at once what is chosen, and with `killAfterMs` ends the server with -9 while that is under way. Where that is watched, connected
   * devices of the keys that it concerns ask before, so that they are remembered, and after. Throws `Difference` where no world explains the answers.
   */
  step(choices: Choice[], how: { killAfterMs: number | null; isWatched: boolean }): Promise<void>;
  /** Looks at everything there is. Throws `Difference`. */
  lookAround(): Promise<void>;
  readonly figures: { acts: number; kills: number; unanswered: number };
  /** Ends the server, and looks at its database. */
  end(): Promise<void>;
}

/** The rules and the product disagree; the message is the story up to there, and what the rules say to its end. */
export class Difference extends Error {
  override readonly name = "Difference";
}

const answerMsMax = 15_000;
const recentKeysMax = 3;
const watchingMax = 3;

export async function openPlay(): Promise<Play> {
  const server = await supervise();
  const story = createStory();
  const figures = { acts: 0, kills: 0, unanswered: 0 };
  const retryable: Scene["retryable"] = [];
  const recentKeys: number[] = [];
  const selections: Selection[] = [];
  const adminCookie = (await send({ method: "POST", path: "/api/auth/admin/login", body: adminLogin })).cookie;
  story.signedIn(adminCookie, "admin");
  let worlds = [newWorld(adminCookie)];

  return {
    figures,
    lookAround,
    async end() {
      await server.kill();
      await server.stored.holdWhole().finally(server.close);
    },

    async step(choices, { killAfterMs, isWatched }) {
      const world = worlds[0] as World;
      const acts = choices.map((choose) => choose({ world, adminCookie, recentKeys, retryable, selections }));
      const watching = isWatched ? devicesOf(world, acts).slice(0, watchingMax) : [];
      for (const asks of watching) await carryOut([asks], null);
      await carryOut(acts, killAfterMs);
      for (const asks of watching) await carryOut([{ ...asks, isPreview: true }], null);
    },
  };

  async function carryOut(acts: Act[], killAfterMs: number | null): Promise<void> {
    const from = Date.now();
    const sending = acts.map((act) => send(requestOf(act, adminCookie)).catch(() => null));
    if (killAfterMs !== null) {
      await Bun.sleep(killAfterMs);
      await server.kill();
    }
    const answers = await Promise.all(sending);
    const to = Date.now();
    const done = acts.map((act, index) => ({ act, told: answers[index] ?? null }));
    remember(done);
    const before = worlds;
    if (killAfterMs === null) {
      if (answers.includes(null)) throw disagreement(["nobody killed the server, and it gave no answer"]);
      accept({ acts: done, from, to, possibleBodies: () => [] });
      // What only the order would tell is seen by looking.
      if (worlds.length > before.length) await lookAround();
      else if (worlds.length === 1) await keepSelection(done);
      return;
    }
    story.killed();
    figures.kills += 1;
    await server.start();
    const found = await survey(acts.flatMap((act) => keysConcernedBy(before[0] as World, act)));
    accept({ acts: done, from, to, possibleBodies: (act) => bodiesIn(found, act, before[0] as World) });
    compare(found);
  }

  async function lookAround(): Promise<void> {
    compare(await survey());
  }

  /** A mark stands for keys as they were at its millisecond, so nothing else is done in that. */
  async function keepSelection(done: Step["acts"]): Promise<void> {
    const [{ act, told }] = done as [Step["acts"][number]];
    if (act.does !== "select" || done.length > 1 || told?.status !== 200) return;
    const world = worlds[0] as World;
    const account = world.sessions.get(act.by) as number;
    const keys = selectedIn(world, account, act.which) ?? [];
    const revoked = keys.filter(({ revokedBy }) => revokedBy !== null).map(({ id }) => id);
    selections.push({ which: act.which, mark: told.body.mark, account, keys: keys.map(({ id }) => id), revoked });
    await Bun.sleep(2);
  }

  async function survey(keyIds: number[] = []): Promise<Found[]> {
    const found: Found[] = [];
    for (const view of viewsOf(found, [...new Set(keyIds)])) {
      const from = Date.now();
      const told = await send(requestOf({ does: "look", by: adminCookie, at: view }, adminCookie));
      found.push({ view, told, from, to: Date.now() });
    }
    return found;
  }

  function compare(found: Found[]): void {
    for (const { view, told, from, to } of found) {
      const act: Act = { does: "look", by: adminCookie, at: view };
      const step = { acts: [{ act, told }], from, to, possibleBodies: () => [] };
      if (explain(worlds, step).worlds.length === 0) story.together([{ request: requestOf(act, adminCookie), told }]);
      accept(step);
    }
  }

  function accept(step: Step): void {
    const explained = explain(worlds, step);
    if (explained.worlds.length === 0) throw disagreement(explained.complaints);
    worlds = explained.worlds;
    for (const { tokens, keys } of worlds) story.meet(tokens.values(), keys.values());
  }

  function remember(done: Step["acts"]): void {
    figures.acts += done.length;
    figures.unanswered += done.filter(({ told }) => told === null).length;
    story.together(done.map(({ act, told }) => ({ request: requestOf(act, adminCookie), told })));
    for (const { act, told } of done) {
      const key =
        act.does === "verify" ? keyNamed(worlds[0] as World, act.key)?.id : "key" in act ? act.key : undefined;
      if (key !== undefined) recentKeys.splice(0, Math.max(0, recentKeys.push(key) - recentKeysMax));
      if (act.does === "generate" && act.idempotencyKey !== null) retryable.push(act);
      if (act.does === "signIn" && told?.cookie) story.signedIn(told.cookie, act.username);
    }
  }

  function disagreement(complaints: string[]): Difference {
    const rules = "The rules say otherwise, in whatever order those at the end happened:";
    return new Difference(`${story.text()}\n\n${[rules, ...complaints].join("\n- ")}`);
  }

  async function send({ method, path, body, cookie, headers }: Sent): Promise<Told> {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(cookie && { cookie }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const [pair = ""] = response.headers.getSetCookie().map((set) => set.split(";")[0] ?? "");
    return { status: response.status, body: await response.json(), cookie: pair };
  }
}
