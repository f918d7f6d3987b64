import type { StreamQuery } from "../db/contract.ts";
import { wholeList } from "../db/paging.ts";
import { listTokens, type TokenFilter } from "./store.ts";
import { tokenView } from "./view.ts";

export const tokensStream: StreamQuery<{ filter: TokenFilter; after: [number] | null }> = {
  name: "tokens",
  pieces: (sql, { filter, after }) =>
    wholeList({
      after,
      rowsOf: (page) => listTokens(sql, filter, page),
      afterOf: (last) => [last.id] as [number],
      view: tokenView,
    }),
};
