import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { described, whenWriting } from "../http/describe.ts";
import { traceOf } from "../http/logging/request-log.ts";
import { Message } from "../http/schema.ts";
import type { Access } from "./access.ts";
import { LoginForm, Role, SessionView, SignedIn } from "./schema.ts";
import type { Cookies, Sessions } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";

export function createSessionRoutes({
  access,
  cookies,
  sessions,
  signIn,
}: {
  access: Access;
  cookies: Cookies;
  sessions: Sessions;
  signIn: SignIn;
}) {
  return new Elysia({ name: "session", prefix: "/api/auth", tags: ["Authentication"] })
    .use(access)
    .get(
      "/session",
      async ({ request }) => {
        const viewer = await access.viewerOf(request);
        if (!viewer) return { isAuthenticated: false };
        const { id, username, role } = viewer;
        return { isAuthenticated: true, user: { id, username, role } };
      },
      {
        open: "ownPages",
        response: { 200: SessionView },
        detail: described({
          id: "readSession",
          summary: "Who is signed in",
          example: { isAuthenticated: true, user: { id: 1, username: "admin", role: "admin" } },
          refusals: [],
        }),
      },
    )
    .post(
      "/:role/login",
      async ({ params, body, request, set }) => {
        const { sessionSecret, user } = await signIn.signIn({
          role: params.role,
          form: body,
          origin: access.originOf(request),
          userAgent: request.headers.get("user-agent"),
          sessionSecret: await cookies.sessionSecretIn(request),
        });
        traceOf(request).account = user.username;
        set.headers["set-cookie"] = await cookies.signedIn(sessionSecret, request);
        return { message: `Logged in as ${user.role} successfully`, user };
      },
      {
        open: "ownPages",
        params: Type.Object({ role: Role }),
        body: LoginForm,
        response: { 200: SignedIn },
        detail: described({
          id: "signIn",
          summary: "Sign in as an admin or as a reseller",
          description:
            "Sets the session cookie, and ends the session that the call came with. A name of the other role fails exactly like a wrong password. Where two-factor is on, `code` is one of the authenticator or a recovery code.",
          example: { message: "Logged in as admin successfully", user: { id: 1, username: "admin", role: "admin" } },
          refusals: [
            ...(["WRONG_CREDENTIALS", "SECOND_FACTOR_NEEDED", "WRONG_SECOND_FACTOR", "SUSPENDED"] as const),
            ...(["NOT_FOUND", "TOO_MANY_TRIES", ...whenWriting] as const),
          ],
        }),
      },
    )
    .post(
      "/logout",
      async ({ request, set }) => {
        const sessionSecret = await cookies.sessionSecretIn(request);
        if (sessionSecret) await sessions.signOut(access.originOf(request), sessionSecret);
        set.headers["set-cookie"] = cookies.signedOut(request);
        return { message: "Logged out successfully" };
      },
      {
        open: "ownPages",
        response: { 200: Message },
        detail: described({
          id: "signOut",
          summary: "End the session",
          example: { message: "Logged out successfully" },
          refusals: whenWriting,
        }),
      },
    );
}
