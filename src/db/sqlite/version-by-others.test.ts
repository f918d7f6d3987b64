import type { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import { connect } from "../connection.ts";
import { createVersionByOthers, type VersionByOthers } from "./version-by-others.ts";

let folder: string;
let writer: Connection;
let atChores: Connection;
let elsewhere: Connection;
let others: VersionByOthers;

beforeEach(() => {
  folder = temporaryFolder();
  const file = join(folder, "test.db");
  [writer, atChores, elsewhere] = [connect(file), connect(file), connect(file)];
  writer.run("CREATE TABLE notes (text TEXT)");
  const look = () => dataVersionOf(writer);
  others = createVersionByOthers({ look, lookAgain: look });
});
afterEach(() => {
  for (const connection of [writer, atChores, elsewhere]) connection.close();
  rmSync(folder, { recursive: true, force: true });
});

function commitOn(connection: Connection): void {
  connection.run("INSERT INTO notes VALUES ('a')");
}

function dataVersionOf(connection: Connection): number | null {
  return connection.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? null;
}

/** At these somebody else may commit while a chore is carried out. */
const moments = ["before its lock", "after its commit", "after that was seen", "after it was over"];

/** A chore, beside which commits are made at some moments. Answers what was told while its own was not explained yet, and what at the end. */
function choreBeside(commits: readonly string[], committing = elsewhere) {
  const unexplained: (number | null)[] = [];
  const pass = (moment: string) => {
    if (commits.includes(moment)) commitOn(committing);
  };
  pass("before its lock");
  atChores.run("BEGIN IMMEDIATE");
  const versionAtLock = dataVersionOf(atChores);
  others.choreHasLock();
  commitOn(atChores);
  atChores.run("COMMIT");
  unexplained.push(others.now());
  pass("after its commit");
  others.choreHasWritten();
  unexplained.push(others.now());
  pass("after that was seen");
  unexplained.push(others.now());
  others.choreIsOver(dataVersionOf(atChores) === versionAtLock);
  pass("after it was over");
  return { unexplained, after: others.now() };
}

test("a chore changes nothing, and another process does, whenever it commits beside one", () => {
  for (let chosen = 0; chosen < 2 ** moments.length; chosen += 1) {
    const commits = moments.filter((_, at) => chosen & (1 << at));
    const before = others.now();
    const { unexplained, after } = choreBeside(commits);
    expect({ commits, unexplained }).toEqual({ commits, unexplained: [null, null, null] });
    expect({ commits, isSame: after === before }).toEqual({ commits, isSame: commits.length === 0 });
  }
});

test("what the writer commits itself changes nothing either, unless it comes between a chore and what is known of it", () => {
  const before = others.now();
  commitOn(writer);
  const { after } = choreBeside(["before its lock", "after it was over"], writer);
  expect(after).toBe(before);
  expect(choreBeside(["after its commit"], writer).after).not.toBe(before);
});

test("a chore that has not committed leaves all as it was, and one of which no more is heard counts as somebody else", () => {
  const before = others.now();
  atChores.run("BEGIN IMMEDIATE");
  others.choreHasLock();
  commitOn(atChores);
  expect(others.now()).toBe(before);
  atChores.run("ROLLBACK");
  others.choreIsOver(false);
  expect(others.now()).toBe(before);

  others.choreHasLock();
  commitOn(atChores);
  others.choreIsOver(false);
  expect(others.now()).not.toBe(before);
});

test("where SQLite does not answer when the chore has its lock, the chore counts as somebody else", () => {
  let isAnswering = true;
  const look = () => (isAnswering ? dataVersionOf(writer) : null);
  others = createVersionByOthers({ look, lookAgain: look });
  const before = others.now();
  isAnswering = false;
  expect(others.now()).toBeNull();
  others.choreHasLock();
  isAnswering = true;
  commitOn(atChores);
  others.choreHasWritten();
  others.choreIsOver(true);
  expect(others.now()).not.toBe(before);
});
