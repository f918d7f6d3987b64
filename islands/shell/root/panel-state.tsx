import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type createStore, getDefaultStore, Provider } from "jotai";
import type { ReactNode } from "react";
import { queryClient } from "../../api/query.ts";

type Store = ReturnType<typeof createStore>;

interface PanelStateProps {
  client?: QueryClient;
  store?: Store;
  children: ReactNode;
}

/**
 * What the panel's islands share: in the browser one query client and one store, on the server one of each per page.
 */
export function PanelState({ client = queryClient, store = getDefaultStore(), children }: PanelStateProps) {
  return (
    <QueryClientProvider client={client}>
      <Provider store={store}>{children}</Provider>
    </QueryClientProvider>
  );
}
