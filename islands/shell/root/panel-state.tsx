import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type createStore, getDefaultStore, Provider } from "jotai";
import type { ReactNode } from "react";
import { hasRight, mayOpen, type Rights } from "../../../src/pages/page.ts";
import { queryClient } from "../../api/query.ts";
import { type Needs, RightsContext } from "../../runtime/rights.ts";

type Store = ReturnType<typeof createStore>;

interface PanelStateProps {
  client?: QueryClient;
  store?: Store;
  rights?: Rights;
  children: ReactNode;
}

/** The page's body has the rights of staff. */
const given = typeof document === "undefined" ? undefined : document.body.dataset.rights;
const rightsOfPage = given === undefined ? null : (given.split(" ") as Rights);

/**
 * What the panel's islands share: in the browser one query client and one store, on the server one of each per page.
 */
export function PanelState(props: PanelStateProps) {
  const { client = queryClient, store = getDefaultStore(), rights = rightsOfPage, children } = props;
  const used = { may: (needs?: Needs) => hasRight(rights, needs), mayOpen: mayOpen.bind(null, rights) };
  return (
    <QueryClientProvider client={client}>
      <Provider store={store}>
        <RightsContext value={used}>{children}</RightsContext>
      </Provider>
    </QueryClientProvider>
  );
}
