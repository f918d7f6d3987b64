import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { full, RegistrationForm, resellerIdOf } from "../accounts/schema.ts";
import { leaveUncompressed } from "../http/compression.ts";
import { described } from "../http/describe.ts";
import { messageAfter, wholeOrPage } from "../http/response.ts";
import { IdParams, Message } from "../http/schema.ts";
import type { Registration } from "./registration.ts";
import type { Resellers } from "./resellers.ts";
import {
  ChangedReseller,
  CreditGrant,
  NewPassword,
  RegisteredReseller,
  Reseller,
  ResellerListQuery,
  ResellerProfile,
  StatusChange,
  TakeBack,
} from "./schema.ts";

const addedSentence = "Credits added successfully";
const takenBackSentence = "Credits taken back";
const statusSentence = "Reseller status updated successfully";
const registeredSentence = "Account registered successfully";
const signedOutSentence = "The reseller was signed out everywhere.";

const exampleReseller = {
  id: 2,
  username: "night.owl",
  registrationDate: "2025-03-05T14:30:00.000Z",
  credits: 12.5,
  totalKeys: 14,
  isActive: true,
  suspensionReason: null,
  priceListId: 1,
};

type Services = { access: Access; resellers: Resellers; registration: Registration };

export function createResellerRoutes({ access, resellers, registration }: Services) {
  return new Elysia({ name: "resellers", prefix: "/api", tags: ["Resellers"] })
    .use(access)
    .post(
      "/auth/reseller/register",
      async ({ body, request, status }) => {
        const user = await registration.register(body, access.addressOf(request));
        return status(201, { message: registeredSentence, user });
      },
      {
        open: "ownPages",
        body: RegistrationForm,
        response: { 201: RegisteredReseller },
        detail: {
          tags: ["Authentication"],
          ...described({
            id: "registerReseller",
            summary: "Register as a reseller with a referral token",
            example: { message: registeredSentence, user: { id: 2, username: "night.owl", role: "reseller", ...full } },
            refusals: ["TOKEN_UNKNOWN", "TOKEN_USED", "USERNAME_TAKEN"],
          }),
        },
      },
    )
    .get(
      "/admin/resellers",
      ({ query, caller, request, set }) => wholeOrPage(query, { request, set }, resellers.list(caller, query)),
      {
        only: ["admin", "resellers:read"],
        query: ResellerListQuery,
        response: { 200: Type.Array(Reseller) },
        detail: described({
          id: "listResellers",
          summary: "Resellers, newest first",
          example: [exampleReseller],
        }),
      },
    )
    .get("/admin/resellers/:id", ({ params }) => resellers.open(params.id), {
      only: ["admin", "resellers:read"],
      params: IdParams,
      response: { 200: Reseller },
      detail: described({
        id: "openReseller",
        summary: "One reseller",
        example: exampleReseller,
      }),
    })
    .post(
      "/admin/resellers/credits",
      ({ body, caller }) => changed(resellers.grantCredits(caller, body), addedSentence),
      {
        only: ["admin", "resellers:manage"],
        body: CreditGrant,
        response: { 200: ChangedReseller },
        detail: described({
          id: "grantCredits",
          summary: "Add credits to a reseller's balance",
          example: { message: addedSentence, reseller: exampleReseller },
          refusals: ["NOT_FOUND", "BALANCE_TOO_LARGE"],
        }),
      },
    )
    .post(
      "/admin/resellers/:id/credits/take-back",
      ({ params, body, caller }) => changed(resellers.takeBack(caller, params.id, body), takenBackSentence),
      {
        only: ["admin", "resellers:manage"],
        params: IdParams,
        body: TakeBack,
        response: { 200: ChangedReseller },
        detail: described({
          id: "takeBackGrant",
          summary: "Take back a grant of credits, in whole or in part",
          description: "At most what is `left` of the grant in the ledger, and at most the balance.",
          example: { message: takenBackSentence, reseller: exampleReseller },
          refusals: ["NOTHING_LEFT"],
        }),
      },
    )
    .post(
      "/admin/resellers/:id/toggle-status",
      ({ params, body, caller }) => changed(resellers.setActive(caller, params.id, body), statusSentence),
      {
        only: ["admin", "resellers:manage"],
        params: IdParams,
        body: StatusChange,
        response: { 200: ChangedReseller },
        detail: described({
          id: "setResellerStatus",
          summary: "Suspend or activate a reseller",
          description:
            "Suspending ends the reseller's sessions and notifies open pages. The keys keep working. Only admins see the `reason`: until reactivation, and in the audit log.",
          example: {
            message: statusSentence,
            reseller: { ...exampleReseller, isActive: false, suspensionReason: "Invoices of October" },
          },
        }),
      },
    )
    .post(
      "/admin/resellers/:id/password",
      async ({ params, caller }) => ({ password: await resellers.resetPassword(caller, params.id) }),
      {
        onlyPeople: "admin",
        params: IdParams,
        beforeHandle: leaveUncompressed,
        response: { 200: NewPassword },
        detail: described({
          id: "resetResellerPassword",
          summary: "Reset a reseller's password to a random one, which is shown only once",
          description: "Ends the reseller's sessions, forgets the known addresses and turns off two-factor sign-in.",
          example: { password: "vR7mKp2sXw9nTq4bHc6d" },
        }),
      },
    )
    .delete(
      "/admin/resellers/:id/sessions",
      ({ params, caller }) => messageAfter(resellers.endSessions(caller, params.id), signedOutSentence),
      {
        onlyPeople: "admin",
        params: IdParams,
        response: { 200: Message },
        detail: described({
          id: "endResellerSessions",
          summary: "Sign a reseller out everywhere",
          example: { message: signedOutSentence },
        }),
      },
    )
    .get("/reseller/profile", ({ caller }) => resellers.profile(resellerIdOf(caller)), {
      only: ["reseller", "credits:read", ["credits:read", "keys:order"]],
      response: { 200: ResellerProfile },
      detail: described({
        id: "readProfile",
        summary: "Your balance and registration date",
        example: { username: "night.owl", credits: 12.5, registrationDate: "2025-03-05T14:30:00.000Z" },
      }),
    });

  async function changed(work: Promise<Reseller>, message: string) {
    return { message, reseller: await work };
  }
}
