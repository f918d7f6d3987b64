import { Elysia } from "elysia";
import { isoOf, msPerDay, type Now } from "../core/clock.ts";

/** Counted from each request. RFC 9116 wants less than a year. */
const goodForDays = 180;

type Dependencies = { securityContact: string | null; publicUrl: URL | null; now: Now };

/**
 * `/.well-known/security.txt` (RFC 9116) says where to report a vulnerability of this installation. Without a contact
 * there is no such file.
 */
export function createSecurityTxt({ securityContact, publicUrl, now }: Dependencies) {
  const plugin = new Elysia({ name: "security.txt" });
  if (securityContact === null) return plugin;
  const path = "/.well-known/security.txt";
  const canonical = publicUrl ? [`Canonical: ${publicUrl.origin}${path}`] : [];
  const file = () => {
    const today = now() - (now() % msPerDay);
    const expires = `Expires: ${isoOf(today + goodForDays * msPerDay)}`;
    return `${[`Contact: ${securityContact}`, expires, ...canonical, "Preferred-Languages: en"].join("\n")}\n`;
  };
  return plugin.get(
    path,
    ({ set }) => {
      set.headers["content-type"] = "text/plain; charset=utf-8";
      return file();
    },
    { detail: { hide: true } },
  );
}
