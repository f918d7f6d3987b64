import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { leaveUncompressed } from "../../http/compression.ts";
import { described } from "../../http/describe.ts";
import { messageAfter } from "../../http/response.ts";
import { IdParams, Message, type SchemaOf } from "../../http/schema.ts";
import type { Access } from "../access.ts";
import { Proof } from "../account-schema.ts";
import type { PersonCaller } from "../audited-changes.ts";
import type { Role } from "../schema.ts";
import type { Cookies } from "../sessions.ts";
import type { Staff } from "./staff.ts";
import {
  AdminStaffChange,
  AdminStaffForm,
  NewStaffAccount,
  NewStaffPassword,
  ResellerStaffChange,
  ResellerStaffForm,
  StaffAccount,
  type StaffChange,
  type StaffForm,
} from "./staff-schema.ts";

const exampleAccount = {
  id: 7,
  username: "night.helper",
  rights: ["keys:read", "keys:manage"],
  creditsPerDay: null,
  isActive: true,
  hasTwoFactor: false,
  createdAt: "2025-03-05T14:30:00.000Z",
  lastSeenAt: "2025-03-06T09:00:00.000Z",
};
const newPassword = "vR7mKp2sXw9nTq4bHc6d";
const removedSentence = "Staff account removed";
const proofRefusals = ["WRONG_CREDENTIALS", "SECOND_FACTOR_NEEDED", "WRONG_SECOND_FACTOR"] as const;

type Services = { access: Access; cookies: Cookies; staff: Staff };

/** The staff of the calling reseller, or of all admins. Only full accounts may make these calls. */
export function createStaffRoutes({ access, cookies, staff }: Services) {
  const here = async (caller: PersonCaller, request: Request) => ({
    ...caller,
    device: await cookies.deviceIn(request),
  });

  return new Elysia({ name: "staff", prefix: "/api", tags: ["Staff"] })
    .use(listAndCreation("admin", AdminStaffForm))
    .use(listAndCreation("reseller", ResellerStaffForm))
    .use(change("admin", AdminStaffChange))
    .use(change("reseller", ResellerStaffChange))
    .use(removal("admin"))
    .use(removal("reseller"))
    .use(passwordReset("admin"))
    .use(passwordReset("reseller"));

  function listAndCreation<Area extends Role, Form extends StaffForm>(area: Area, form: SchemaOf<Form>) {
    const { who, named, whose } = callsIn(area);
    return new Elysia()
      .use(access)
      .get(`/${area}/staff`, ({ caller }) => staff.list(caller), {
        onlyPeople: who,
        response: { 200: Type.Array(StaffAccount) },
        detail: described({
          id: `list${named}Staff`,
          summary: `${whose} staff, oldest first`,
          example: [exampleAccount],
        }),
      })
      .post(
        `/${area}/staff`,
        async ({ body, caller, request, status }) =>
          status(201, await staff.create(await here(caller, request), body as Form)),
        {
          onlyPeople: who,
          body: form,
          beforeHandle: leaveUncompressed,
          response: { 201: NewStaffAccount },
          detail: described({
            id: `create${named}Staff`,
            summary: "Create a staff account with chosen rights",
            description:
              "`password` and `code` are your own; `code` is needed where two-factor sign-in is on. The account's password is random, and shown only this once.",
            example: { ...exampleAccount, lastSeenAt: null, newPassword },
            refusals: [...proofRefusals, "USERNAME_TAKEN", "TOO_MANY_STAFF"],
          }),
        },
      );
  }

  function change<Area extends Role, Form extends StaffChange>(area: Area, form: SchemaOf<Form>) {
    const { who, named } = callsIn(area);
    return new Elysia()
      .use(access)
      .put(
        `/${area}/staff/:id`,
        async ({ params, body, caller, request }) => staff.change(await here(caller, request), params.id, body as Form),
        {
          onlyPeople: who,
          params: IdParams,
          body: form,
          response: { 200: StaffAccount },
          detail: described({
            id: `change${named}Staff`,
            summary: "Change the rights of a staff account, or switch it off or on",
            description:
              "What is left out stays. Your password is needed unless `isActive: false` is all that is sent.",
            example: exampleAccount,
            refusals: proofRefusals,
          }),
        },
      );
  }

  function removal<Area extends Role>(area: Area) {
    const { who, named } = callsIn(area);
    return new Elysia()
      .use(access)
      .delete(
        `/${area}/staff/:id`,
        ({ params, caller }) => messageAfter(staff.remove(caller, params.id), removedSentence),
        {
          onlyPeople: who,
          params: IdParams,
          response: { 200: Message },
          detail: described({
            id: `remove${named}Staff`,
            summary: "Remove a staff account",
            description: "Its sessions end and its username is free again. What it did keeps its name.",
            example: { message: removedSentence },
          }),
        },
      );
  }

  function passwordReset<Area extends Role>(area: Area) {
    const { who, named } = callsIn(area);
    return new Elysia()
      .use(access)
      .post(
        `/${area}/staff/:id/password`,
        async ({ params, body, caller, request }) => staff.resetPassword(await here(caller, request), params.id, body),
        {
          onlyPeople: who,
          params: IdParams,
          body: Proof,
          beforeHandle: leaveUncompressed,
          response: { 200: NewStaffPassword },
          detail: described({
            id: `reset${named}StaffPassword`,
            summary: "Reset a staff account's password to a random one, which is shown only once",
            description: "Ends its sessions, forgets its known addresses and turns off two-factor sign-in.",
            example: { newPassword },
            refusals: proofRefusals,
          }),
        },
      );
  }
}

/** Who may make the calls in an area, as a type that is not generic, which Elysia needs, and what names them. */
function callsIn(who: Role) {
  return who === "admin" ? { who, named: "Admin", whose: "The admins'" } : { who, named: "Own", whose: "Your" };
}
