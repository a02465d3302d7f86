// What the features' routes take, in one object: the base, and beyond it one narrow question or option each.
import type { Route } from '@rookery/contract/implement.ts'
import type { WireguardPlacement } from '@rookery/tokens/token.ts'
import type { AppContext } from './app-context.ts'
import type { ConsoleHealthDeps } from './features/console-health/routes.ts'
import type { SharedSourcesDeps } from './features/shared-sources/routes.ts'
import type { Options } from './features/console-settings/routes.ts'
import type { Assets } from './flows/assets/assets.ts'
import type { ForgeFile } from './flows/forge/forge-file.ts'
import type { StoreUploads } from './flows/files/uploads.ts'
import type { FactoryAllowance } from './flows/tokens/factory-allowance.ts'
import type { CreateToken } from './flows/tokens/create.ts'
import type { TokenBatches } from './flows/tokens/token-batch.ts'
import type { ProviderViewDeps } from './views/tokens/providers.ts'
import type { WarningsOf } from './views/tokens/creation-warnings.ts'
import type { Call } from './http/call.ts'
import type { SignInRateLimit } from './http/sign-in-rate-limit.ts'
import type { OwnHosts } from './addresses/own-hosts.ts'
import type { ChatDeps } from './notify/chat-app.ts'
import type { Notifier } from './notify/receivers.ts'

export interface RouteDeps extends AppContext, Options, ConsoleHealthDeps, ChatDeps, SharedSourcesDeps {
  /** Where who asked at this address reaches the console by HTTPS; undefined if that is not known. */
  readonly httpsUrl: (askedUrl: string) => string | undefined
  readonly assets: Assets
  /** Counts tries of passwords and codes. */
  readonly signInRateLimit: SignInRateLimit
  /** Makes a token. */
  readonly createToken: CreateToken
  /** Makes many tokens. */
  readonly batches: TokenBatches
  /** Makes the file of a token. */
  readonly forgeFile: ForgeFile
  readonly storeUploads: StoreUploads
  /** Where tokens must not lead their visitors. */
  readonly ownHosts: OwnHosts
  /** Called after the commit: rows that nobody needs any more are removed now. */
  readonly wakeHousekeeping: () => void
  /** Called after the commit: what providers issued for deleted tokens is revoked now. */
  readonly wakeProviders: () => void
  readonly providers: ProviderViewDeps
  /** Where WireGuard clients of tokens call. */
  readonly wireguard: WireguardPlacement
  /** What keeps touches of a new token from coming in. */
  readonly warningsOf: WarningsOf
  readonly factoryAllowance: FactoryAllowance
  readonly notifier: Notifier
  /** Called after the commit: the automatic update looks at what is due now. */
  readonly wakeUpdates: () => void
  /** Called after the commit: the links of changed Birds read them now. */
  readonly wakeLinks: () => void
  /** Where images of Birds are. */
  readonly imageFolder: string
}

/** What `features/<group>/routes.ts` exports as `<group>Routes`; each names the part of the deps that it needs. */
export type FeatureRoutes = (deps: RouteDeps) => Route<Call>[]
