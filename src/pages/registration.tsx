import Registration from "../../islands/entrance/registration.tsx";
import type { EntrancePage } from "./page.ts";

export const registrationPage: EntrancePage = {
  path: "/register",
  title: "Reseller Registration",
  heading: "Reseller Registration",
  description: "Open a reseller account with your referral token",
  needsScript: "to open your account",
  content: ({ island }) => island("registration", Registration, {}),
};
