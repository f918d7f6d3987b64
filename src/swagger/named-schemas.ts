import { PasswordProof, Proof } from "../accounts/account-schema.ts";
import { ApiKey, NewApiKey } from "../accounts/api-keys/api-key-schema.ts";
import { SessionUser, SignedIn } from "../accounts/schema.ts";
import { NewStaffAccount, NewStaffPassword, StaffAccount } from "../accounts/staff/staff-schema.ts";
import { AuditEntry } from "../audit/schema.ts";
import { Catalogue, Duration, Game, Price, PriceList, ReleaseChange } from "../catalogue/schema.ts";
import { NoteForm } from "../core/field.ts";
import { Message } from "../http/schema.ts";
import { Import } from "../imports/schema.ts";
import { Intervention, InterventionScope, RunningPause, StartedIntervention } from "../interventions/schema.ts";
import { Block, BlockForm } from "../keys/blocks/block-schema.ts";
import { ReplacementForm } from "../keys/custom-key.ts";
import { FreeKey, PaidKey } from "../keys/life/schema.ts";
import {
  AdminKey,
  AdminKeyDetail,
  ChangedAdminKey,
  ChangedResellerKey,
  Device,
  KeyStatus,
  RemovedDevices,
  ResellerKey,
  ResellerKeyDetail,
} from "../keys/schema.ts";
import { KeySelectionView, NotedSelection, RevokedSelection } from "../keys/selection/selection-schema.ts";
import { Timeline } from "../keys/timeline/timeline-schema.ts";
import { AdminOrder, Order, RevokedKeys, SellerOrNull, UnusedRevocation } from "../orders/schema.ts";
import { ByGame, DayFigures } from "../reports/schema.ts";
import { LedgerEntry } from "../resellers/ledger-schema.ts";
import { ChangedReseller, Reseller } from "../resellers/schema.ts";
import {
  NewShopLink,
  NewShopSecret,
  Sale,
  SecretForm,
  ShopLink,
  Signature,
  SignatureForm,
} from "../shop-links/schema.ts";
import { Token } from "../tokens/schema.ts";
import { Update, UpdateForm } from "../updates/schema.ts";
import { Preview, ReleasableDevice, ReleaseOfferOrNull, Verdict, VerdictCode } from "../verify/schema.ts";
import { Delivery, DeliveryTry, NewWebhook, RotatedSecret, SwitchedOff, Webhook } from "../webhooks/schema.ts";

/** The schemas that the document names. Every shape that it would otherwise write twice is among them; a test checks. */
export const namedSchemas = {
  ...{ AdminKey, AdminKeyDetail, ResellerKey, ResellerKeyDetail, ChangedAdminKey, ChangedResellerKey, Catalogue },
  ...{ Game, Duration, PriceList, Price, Device, KeyStatus, KeySelectionView, NotedSelection, FreeKey, PaidKey },
  ...{
    ReplacementForm,
    RevokedSelection,
    Timeline,
    Intervention,
    InterventionScope,
    StartedIntervention,
    RunningPause,
    BlockedDevice: Block,
    BlockForm,
    RemovedDevices,
  },
  ...{
    Order,
  },
  ...{ AdminOrder, Import, RevokedKeys, UnusedRevocation, DayFigures, ByGame, LedgerEntry, Reseller },
  ...{ ChangedReseller, SessionUser, SignedIn, ApiKey, NewApiKey, StaffAccount, NewStaffAccount, NewStaffPassword },
  ...{ StaffProof: Proof, Webhook, NewWebhook, SwitchedOff, RotatedSecret, Delivery, DeliveryTry, ShopLink },
  ...{
    NewShopLink,
    NewShopSecret,
    ShopSecretForm: SecretForm,
    Signature,
    SignatureForm,
    SellerOrNull,
    Sale,
    PasswordProof,
    Token,
    Update,
    UpdateForm,
  },
  ...{ Verdict, VerdictCode, Preview, ReleaseOfferOrNull, ReleasableDevice, ReleaseChange, AuditEntry, NoteForm },
  ...{ Message },
};
