import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { leaveUncompressed } from "../../http/compression.ts";
import { described } from "../../http/describe.ts";
import { messageAfter } from "../../http/response.ts";
import { IdParams, Message } from "../../http/schema.ts";
import type { Access } from "../access.ts";
import { Proof } from "../account-schema.ts";
import type { Role } from "../schema.ts";
import type { Staff } from "./staff.ts";
import {
  AdminStaffChange,
  AdminStaffForm,
  NewStaffAccount,
  NewStaffPassword,
  ResellerStaffChange,
  ResellerStaffForm,
  StaffAccount,
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

/** The staff of the calling reseller, or of all admins. Only full accounts may make these calls. */
export function createStaffRoutes({ access, staff }: { access: Access; staff: Staff }) {
  return new Elysia({ name: "staff", prefix: "/api", tags: ["Staff"] })
    .use(new Elysia({ prefix: "/admin/staff" }).use(routesOf("admin", AdminStaffForm, AdminStaffChange)))
    .use(new Elysia({ prefix: "/reseller/staff" }).use(routesOf("reseller", ResellerStaffForm, ResellerStaffChange)));

  function routesOf(who: Role, form: typeof AdminStaffForm, change: typeof AdminStaffChange) {
    const { named, whose } =
      who === "admin" ? { named: "Admin", whose: "The admins'" } : { named: "Own", whose: "Your" };
    return new Elysia()
      .use(access)
      .get("", ({ caller }) => staff.list(caller), {
        onlyPeople: who,
        response: { 200: Type.Array(StaffAccount) },
        detail: described({
          id: `list${named}Staff`,
          summary: `${whose} staff, oldest first`,
          example: [exampleAccount],
        }),
      })
      .post("", async ({ body, caller, status }) => status(201, await staff.create(caller, body)), {
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
      })
      .put("/:id", ({ params, body, caller }) => staff.change(caller, params.id, body), {
        onlyPeople: who,
        params: IdParams,
        body: change,
        response: { 200: StaffAccount },
        detail: described({
          id: `change${named}Staff`,
          summary: "Change the rights of a staff account, or switch it off or on",
          description: "What is left out stays. Your password is needed unless `isActive: false` is all that is sent.",
          example: exampleAccount,
          refusals: proofRefusals,
        }),
      })
      .delete("/:id", ({ params, caller }) => messageAfter(staff.remove(caller, params.id), removedSentence), {
        onlyPeople: who,
        params: IdParams,
        response: { 200: Message },
        detail: described({
          id: `remove${named}Staff`,
          summary: "Remove a staff account",
          description: "Its sessions end and its username is free again. What it did keeps its name.",
          example: { message: removedSentence },
        }),
      })
      .post("/:id/password", ({ params, body, caller }) => staff.resetPassword(caller, params.id, body), {
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
      });
  }
}
