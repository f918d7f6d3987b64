import { useQuery } from "@tanstack/react-query";
import type { Role } from "../../../../src/accounts/schema.ts";
import { type KeyDetail, timelineQuery } from "../../../api/calls/keys.ts";
import { profileQuery } from "../../../api/calls/session.ts";

/** The role of who paused a key, as its timeline says. Null if it is not paused, or if that is too long ago. */
export function usePausedBy(area: Role, key: KeyDetail): Role | null {
  const { data: timeline } = useQuery(timelineQuery(area, key.id));
  const { data: profile } = useQuery({ ...profileQuery, enabled: area === "reseller" });
  const owner = "owner" in key ? key.owner : profile?.username;
  const pause = timeline?.events.find(({ kind }) => kind === "paused");
  if (key.status !== "PAUSED" || !pause || owner === undefined) return null;
  return pause.by === owner ? "reseller" : "admin";
}
