import fc from "fast-check";
import type { Action } from "./actions.ts";
import { asAccount, type Choice, device, keyIn, number, pick, sessionOf } from "./context.ts";

/** Mostly ends a block if there is one, or a few devices would soon be blocked everywhere. */
export const blockOrUnblock = fc
  .record({
    ...{ n: number, key: number, isAdmin: fc.boolean(), deviceId: device },
    reason: fc.constantFrom("Key resold", 'It\'s "his" phone'),
  })
  .map(
    ({ n, key, isAdmin, deviceId, reason }): Choice =>
      (context) => {
        const block = pick([...context.state.blocks.values()], n);
        if (block && n % 4 > 0) {
          const unblock = (by: string): Action => ({ type: "unblock", by, block: block.id });
          const owner = block.owner === null ? context.adminCookie : sessionOf(context, block.owner);
          return owner === undefined || n % 10 === 0 ? asAccount(context, isAdmin, n, unblock) : unblock(owner);
        }
        const used = keyIn(context, key, ({ devices }) => devices.length > 0);
        // Sometimes the same again.
        const wanted = n % 8 === 0 ? block?.deviceId : used?.devices[0]?.deviceId;
        const blocked = (by: string): Action => ({ type: "block", by, deviceId: wanted ?? deviceId, reason });
        const owner = isAdmin ? undefined : sessionOf(context, used?.owner);
        return owner === undefined ? asAccount(context, isAdmin, n, blocked) : blocked(owner);
      },
  );
