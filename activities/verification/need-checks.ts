import type { Hex } from 'viem'
import { handlerNeed, type SourceNeed } from '../../domain/catalogue/readiness.ts'
import { HUMAN_REVIEW } from '../../domain/sessions/deciders.ts'
import { VERIFIER_MODES } from '../../schemas/catalogue/job-terms.ts'
import type { ReadinessReason } from '../../schemas/catalogue/readiness.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { CheckedNeed } from '../catalogue/verdict-needs.ts'
import { treasuryPolicyAbi } from '../chain/abi/treasury-policy.ts'
import type { ChainClients } from '../chain/clients.ts'
import { GAS } from '../chain/escrow-calls.ts'
import { quoteFees } from '../chain/journal/sign.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import { type CodehostApi, createCodehostApi } from '../codehost/client.ts'
import type { Fetches } from '../outbound/clients.ts'
import type { OutboundAnswer } from '../outbound/guarded-fetch.ts'
import type { VerifierHandlers } from './registry.ts'
import { revisionApiUrl } from './sources.ts'

/** A check ends well before the next one is due. */
const TIMEOUT_MS = 5_000
const FIRST_BYTES = 1_024

type CheckSettings = Pick<Settings, 'CODEHOST_API_URL' | 'CODEHOST_TOKEN' | 'CODEHOST_TIMEOUT_SECONDS' | 'WIKIPEDIA_API_URL'>

export interface NeedCheckDeps {
  settings: CheckSettings
  chain: ChainFile
  clients: Pick<ChainClients, 'reader'>
  /** Address of the verifier key; undefined without the key. */
  verifier: Hex | undefined
  /** Whether this process holds an arbitrator key. */
  hasArbitrator: boolean
  handlers: VerifierHandlers
  fetches: Fetches
}

/** Why the verifier key cannot send a verdict. Throws when the chain cannot be read, since that says nothing about the key. */
const checkVerifierKey = async ({ clients: { reader }, chain, verifier }: NeedCheckDeps): Promise<ReadinessReason | null> => {
  if (verifier === undefined) return 'verifier_key_missing'
  const policy = { address: chain.contracts.policy.address as Hex, abi: treasuryPolicyAbi }
  const [hasRole, balance, fees] = await convertReadErrors(() =>
    Promise.all([
      reader.readContract({ ...policy, functionName: 'verifiers', args: [verifier] }),
      reader.getBalance({ address: verifier }),
      quoteFees(reader),
    ]),
  )
  if (!hasRole) return 'verifier_role_missing'
  return balance < GAS.resolveSinglePayout * fees.maxFeePerGas ? 'verifier_gas_missing' : null
}

/** Reasons by the failure of a request. A host without rate limits answers 404 where it would show them. */
const CODE_HOST_REASONS: Readonly<Record<string, ReadinessReason | null>> = {
  codehost_api_404: null,
  codehost_api_401: 'code_host_token_refused',
  codehost_api_403: 'code_host_token_refused',
  codehost_api_429: 'code_host_rate_limited',
  codehost_rate_limited: 'code_host_rate_limited',
}

/** Asks the code host for the limits of the token, which costs nothing of them. */
const checkCodeHost = async (api: CodehostApi | null): Promise<ReadinessReason | null> => {
  if (api === null) return 'code_host_token_missing'
  const answer = await api.get('/rate_limit')
  if (answer.ok) return null
  const { reason, retryAfterSeconds } = answer.failure
  if (retryAfterSeconds !== null) return 'code_host_rate_limited'
  return CODE_HOST_REASONS[reason] === undefined ? 'code_host_unavailable' : CODE_HOST_REASONS[reason]
}

/** True when a server answered, whatever it thinks of the request. */
const isAnswer = (answer: OutboundAnswer): boolean => (answer.ok ? answer.status < 500 : answer.failure === 'redirected')

/** Address whose answer shows that a source can be read, and the fetch that reads it. */
const sourceOf = (need: SourceNeed, { settings, fetches }: Pick<NeedCheckDeps, 'settings' | 'fetches'>) => {
  const [kind, ...rest] = need.split(':')
  const name = rest.join(':')
  if (kind !== 'encyclopedia') return { url: `${name}/`, fetch: fetches.callers }
  return { url: `${revisionApiUrl(settings.WIKIPEDIA_API_URL, name)}?action=query&format=json`, fetch: fetches.encyclopedia }
}

/** Checks of everything that verdicts need and that a worker knows. */
export const createNeedChecks = (deps: NeedCheckDeps) => {
  const { settings, handlers, fetches } = deps
  const { CODEHOST_TOKEN: token, CODEHOST_API_URL: baseUrl } = settings
  const timeoutMs = Math.min(TIMEOUT_MS, Math.ceil(settings.CODEHOST_TIMEOUT_SECONDS * 1_000))
  const api = token === undefined ? null : createCodehostApi({ fetch: fetches.codehost, baseUrl, token, timeoutMs, now: Date.now })

  return {
    /** One check for each handler, the keys and the code host. */
    fixed: [
      ...VERIFIER_MODES.map((mode) => async (): Promise<CheckedNeed> => {
        const reason = handlers.has(mode) ? null : 'handler_missing'
        return { need: handlerNeed(mode), reason, verdictsOf: mode === 'human_fallback' ? HUMAN_REVIEW : mode }
      }),
      async (): Promise<CheckedNeed> => ({ need: 'verifier_key', reason: await checkVerifierKey(deps) }),
      async (): Promise<CheckedNeed> => ({ need: 'arbitrator_key', reason: deps.hasArbitrator ? null : 'arbitrator_key_missing' }),
      async (): Promise<CheckedNeed> => ({ need: 'code_host', reason: await checkCodeHost(api) }),
    ],

    /** Requests no particular document of the source. */
    source: async (need: SourceNeed): Promise<CheckedNeed> => {
      const { url, fetch } = sourceOf(need, deps)
      const answer = await fetch({ url, timeoutMs: TIMEOUT_MS, maxBytes: FIRST_BYTES, cut: true, redirects: 0 })
      return { need, reason: isAnswer(answer) ? null : 'source_unavailable' }
    },
  }
}
export type VerdictChecks = ReturnType<typeof createNeedChecks>
