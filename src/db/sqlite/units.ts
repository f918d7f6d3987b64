import type { Database as Connection } from "bun:sqlite";
import { type Listener, type News, type Tell, tellAll } from "../../core/news.ts";
import { templateOn } from "../connection.ts";
import type { KeyAsRead, Sql } from "../contract.ts";

/** What is written in one piece, and shares its commit with others. */
export interface Unit {
  work: (sql: Sql, tell: Tell, isAsRead: boolean) => Promise<unknown>;
  /** All that it may change; `null` where that is anything. */
  key: KeyAsRead | null;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  /** By `monotonicMs`. */
  lateAt: number;
}

/** How units are carried out within a transaction of this connection that has begun, one after the other. */
export function createUnits({ writer, listeners }: { writer: Connection; listeners: readonly Listener[] }) {
  // Prepared once: to run a text means to parse it.
  const [savepoint, release] = [writer.prepare("SAVEPOINT unit"), writer.prepare("RELEASE unit")];
  const write = templateOn(writer);

  /** Answers how to tell the unit's caller, once the commit is done. Is refused where SQLite gave the whole commit up. */
  return function carryOut(unit: Unit, isAsRead: boolean): Promise<() => void> {
    return unit.key === null ? inSavepoint(unit) : byOneStatement(unit, isAsRead);
  };

  async function inSavepoint(unit: Unit): Promise<() => void> {
    const told: News[] = [];
    savepoint.run();
    try {
      const result = await unit.work(write, async (news) => void told.push(news), false);
      release.run();
      return () => {
        for (const news of told) tellAll(listeners, news);
        unit.resolve(result);
      };
    } catch (error) {
      if (!writer.inTransaction) throw error;
      writer.run("ROLLBACK TO unit");
      writer.run("RELEASE unit");
      return () => unit.reject(error);
    }
  }

  /**
   * What is done beside others writes by one statement and tells no news: it needs no savepoint, because SQLite undoes a statement that fails. A
   * chain of promises, because an asynchronous function for each new device takes longer.
   */
  function byOneStatement(unit: Unit, isAsRead: boolean): Promise<() => void> {
    return unit.work(write, tellNobody, isAsRead).then(
      (result) => () => unit.resolve(result),
      (error) => {
        if (!writer.inTransaction) throw error;
        return () => unit.reject(error);
      },
    );
  }
}

async function tellNobody(): Promise<void> {}
