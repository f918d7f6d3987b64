import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { leaveUncompressed } from "../http/compression.ts";
import { described } from "../http/describe.ts";
import { traceOf } from "../http/logging/request-log.ts";
import { messageAfter } from "../http/response.ts";
import { IdParams, Message } from "../http/schema.ts";
import type { Access } from "./access.ts";
import {
  CodeForm,
  OwnSession,
  PasswordForm,
  PasswordProof,
  RecoveryCodes,
  TwoFactorSetup,
  TwoFactorState,
} from "./account-schema.ts";
import type { PasswordChange } from "./password-change.ts";
import { full, LoginForm, Role, SessionView, SignedIn } from "./schema.ts";
import type { Cookies, Sessions } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";
import type { TwoFactor } from "./two-factor/two-factor.ts";

type SessionServices = { access: Access; cookies: Cookies; sessions: Sessions; signIn: SignIn };

export function createSessionRoutes({ access, cookies, sessions, signIn }: SessionServices) {
  return new Elysia({ name: "session", prefix: "/api/auth", tags: ["Authentication"] })
    .use(access)
    .get(
      "/session",
      async ({ request }) => {
        const viewer = await access.viewerOf(request);
        if (!viewer) return { isAuthenticated: false };
        const { id, username, role, rights, owner } = viewer;
        return { isAuthenticated: true, user: { id, username, role, rights, owner } };
      },
      {
        open: "ownPages",
        response: { 200: SessionView },
        detail: described({
          id: "readSession",
          summary: "Who is signed in",
          example: { isAuthenticated: true, user: { id: 1, username: "admin", role: "admin", ...full } },
        }),
      },
    )
    .post(
      "/:role/login",
      async ({ params, body, request, set }) => {
        const signedIn = await signIn.signIn({
          role: params.role,
          form: body,
          origin: access.originOf(request),
          userAgent: request.headers.get("user-agent"),
          sessionSecret: await cookies.sessionSecretIn(request),
          device: await cookies.deviceIn(request),
        });
        const { user } = signedIn;
        traceOf(request).account = user.username;
        set.headers["set-cookie"] = await cookies.signedIn(signedIn, request);
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
            "Sets the session and device cookies, and ends the session that the request came with. A username of the other role fails exactly like a wrong password. With two-factor on, `code` is a code from the authenticator app or a recovery code.",
          example: {
            message: "Logged in as admin successfully",
            user: { id: 1, username: "admin", role: "admin", ...full },
          },
          refusals: [
            "WRONG_CREDENTIALS",
            "SECOND_FACTOR_NEEDED",
            "WRONG_SECOND_FACTOR",
            "SUSPENDED",
            "SWITCHED_OFF",
            "NOT_FOUND",
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
        }),
      },
    );
}

const exampleSession = {
  id: 12,
  current: true,
  createdAt: "2025-03-05T14:30:00.000Z",
  lastSeenAt: "2025-03-05T16:05:00.000Z",
  address: "203.0.113.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64)",
};

const othersEndedSentence = "All your other sessions have ended.";
const changedSentence = `Password changed. ${othersEndedSentence}`;
const turnedOffSentence = "Two-factor sign-in is off.";

interface AccountServices {
  access: Access;
  cookies: Cookies;
  passwordChange: PasswordChange;
  sessions: Sessions;
  twoFactor: TwoFactor;
}

/** Calls for one's own account, in either role. */
export function createAccountRoutes({ access, cookies, passwordChange, sessions, twoFactor }: AccountServices) {
  return new Elysia({ name: "account", prefix: "/api/auth", tags: ["Account"] })
    .use(access)
    .post("/password", ({ body, caller }) => messageAfter(passwordChange.change(caller, body), changedSentence), {
      onlyPeople: "signedIn",
      body: PasswordForm,
      response: { 200: Message },
      detail: described({
        id: "changePassword",
        summary: "Change your password",
        description: "Ends all other sessions of the account.",
        example: { message: changedSentence },
        refusals: ["WRONG_CREDENTIALS"],
      }),
    })
    .get("/sessions", ({ caller }) => sessions.list(caller), {
      onlyPeople: "signedIn",
      response: { 200: Type.Array(OwnSession) },
      detail: described({
        id: "listSessions",
        summary: "Your sessions, newest first",
        example: [exampleSession],
      }),
    })
    .delete("/sessions", ({ caller }) => messageAfter(sessions.endOthers(caller), othersEndedSentence), {
      onlyPeople: "signedIn",
      response: { 200: Message },
      detail: described({
        id: "endOtherSessions",
        summary: "End all your other sessions",
        example: { message: othersEndedSentence },
      }),
    })
    .delete(
      "/sessions/:id",
      async ({ params, caller, request, set }) => {
        await sessions.end(caller, params.id);
        if (params.id === caller.sessionId) set.headers["set-cookie"] = cookies.signedOut(request);
        return { message: "The session has ended." };
      },
      {
        onlyPeople: "signedIn",
        params: IdParams,
        response: { 200: Message },
        detail: described({
          id: "endSession",
          summary: "End one of your sessions",
          example: { message: "The session has ended." },
        }),
      },
    )
    .get("/two-factor", ({ caller }) => twoFactor.state(caller), {
      onlyPeople: "signedIn",
      response: { 200: TwoFactorState },
      detail: described({
        id: "readTwoFactor",
        summary: "Whether two-factor sign-in is on, and how many recovery codes are left",
        example: { enabled: true, recoveryCodesLeft: 10 },
      }),
    })
    .post("/two-factor", ({ body, caller }) => twoFactor.begin(caller, body.password), {
      onlyPeople: "signedIn",
      body: PasswordProof,
      beforeHandle: leaveUncompressed,
      response: { 200: TwoFactorSetup },
      detail: described({
        id: "beginTwoFactor",
        summary: "Create a two-factor secret, which takes effect once a code confirms it",
        example: {
          secret: "OULUTRT7I2OUS7X6DIWBAD5OCHICYRQI",
          uri: "otpauth://totp/Latchkey:night.owl?issuer=Latchkey&secret=OULUTRT7I2OUS7X6DIWBAD5OCHICYRQI",
        },
        refusals: ["TWO_FACTOR_ON", "WRONG_CREDENTIALS"],
      }),
    })
    .post(
      "/two-factor/confirm",
      async ({ body, caller }) => ({ recoveryCodes: await twoFactor.confirm(caller, body.code) }),
      {
        onlyPeople: "signedIn",
        body: CodeForm,
        beforeHandle: leaveUncompressed,
        response: { 200: RecoveryCodes },
        detail: described({
          id: "confirmTwoFactor",
          summary: "Turn on two-factor sign-in with a code, which then cannot be used again",
          description: "The recovery codes are shown only once. Each works once in place of a code.",
          example: { recoveryCodes: ["PRB7-M944-GC2Y-DX1G", "0RWZ-PCPT-3EET-FJEJ"] },
          refusals: ["WRONG_SECOND_FACTOR", "TWO_FACTOR_ON", "TWO_FACTOR_NOT_BEGUN"],
        }),
      },
    )
    .delete(
      "/two-factor",
      ({ body, caller }) => messageAfter(twoFactor.turnOff(caller, body.password), turnedOffSentence),
      {
        onlyPeople: "signedIn",
        body: PasswordProof,
        response: { 200: Message },
        detail: described({
          id: "turnTwoFactorOff",
          summary: "Turn off two-factor sign-in",
          example: { message: turnedOffSentence },
          refusals: ["WRONG_CREDENTIALS"],
        }),
      },
    );
}
