import { encodeCall, word } from '../../../client/cli/chain/calls.ts'
import { specHashOf } from '../../../domain/catalogue/spec-hash.ts'
import { labelHash } from '../../../domain/common/ids.ts'
import { postedDraftId, postedJobId } from '../../../domain/postings/ids.ts'
import { CORE, startScriptedChain, TOKEN } from './scripted-chain.ts'
import { json, problem, type Script } from './scripted-service.ts'

export const ESCROW = '0xdc64a140aa3e981100a9beca4e685f962f0cf6c9'
const CHAIN_ID = 31_337
const CREATE = 'createSinglePayoutJob(bytes32,address,uint256,uint256,uint256,uint256,bytes32,bytes32,bytes32)'
const USDC = { asset: 'USDC', decimals: 6 }

/** Definition as a poster writes it. */
export const DEFINITION = {
  title: 'Retry policy',
  description: 'Design the retry policy of a client.',
  category: 'coding',
  rewardAmount: 2,
  verifierMode: 'benchmark',
  verifierTerms: ['jitter'],
  claimTtlSeconds: 3600,
}

/** A draft of {@link DEFINITION} as the service answers with it. */
const draftOf = (poster: string) => {
  const { rewardAmount: _amount, verifierTerms: _terms, ...kept } = DEFINITION
  const content = { ...kept, rewardAsset: 'USDC', rewardAmountRaw: '2000000', opsReserveRaw: '0', contingencyReserveRaw: '0' }
  const specHash = specHashOf(content)
  const posted = { poster, contentHash: specHash }
  const [jobId, draftId] = [postedJobId(posted), postedDraftId(posted)]
  const args = [jobId, TOKEN, '2000000', '0', '0', '3600', labelHash('benchmark'), labelHash('coding'), specHash]
  return {
    draftId,
    jobId,
    specHash,
    definition: { ...content, id: jobId },
    status: 'quoted',
    fundingStatus: 'unfunded',
    expiresAt: '2026-01-04T00:00:00.000Z',
    next: { kind: 'wait', description: 'Wait.' },
    escrowAddress: ESCROW,
    fundingRequirement: {
      asset: 'USDC',
      assetAddress: TOKEN,
      decimals: 6,
      rewardRaw: '2000000',
      opsReserveRaw: '0',
      contingencyReserveRaw: '0',
      protocolFeeRaw: '100000',
      posterReservedRaw: '2100000',
    },
    claimRequirement: { bond: { available: false, reason: 'live_chain_read_failed' }, tier: 'starter' },
    calldata: { to: ESCROW, args },
  }
}
export type ScriptedDraft = ReturnType<typeof draftOf>

const wordOf = (arg: string): string => word(arg.startsWith('0x') ? arg : BigInt(arg))

/** The transactions that fund a draft by approval, deposit and creation, as the service builds them. */
const fundingOf = (draft: ScriptedDraft, wallet: string) => {
  const template = (step: string, to: string, data: string) => ({ step, from: wallet, to, data, value: '0', chainId: CHAIN_ID })
  const amount = word(2_100_000n)
  return {
    deposit: { required: true, amount: { raw: '2100000', ...USDC } },
    posterReserved: { raw: '2100000', ...USDC },
    templates: [
      template('approve', TOKEN, encodeCall('approve(address,uint256)', word(CORE), amount)),
      template('deposit', CORE, encodeCall('deposit(address,uint256)', word(TOKEN), amount)),
      template('create', ESCROW, encodeCall(CREATE, ...draft.calldata.args.map(wordOf))),
    ],
  }
}

const PLACE = { chainId: CHAIN_ID, escrowCore: ESCROW, agentAccountCore: CORE, token: { symbol: 'USDC', address: TOKEN, decimals: 6 } }

/** A service whose wallet has one draft, and its chain. A test changes what they answer in `posting`. */
export const startScriptedPosting = async (scripts: Record<string, Script> = {}) => {
  const place = { ...PLACE }
  const onboarding: Script = (_request, response) => json(response, 200, place)
  // The routes of the draft name its id, which follows from the wallet.
  const routes: Record<string, Script> = { 'GET /poster/onboarding': onboarding, ...scripts }
  const chain = await startScriptedChain(routes)
  const draft = draftOf(chain.wallet)
  const funding = fundingOf(draft, chain.wallet)
  const added: Record<string, Script> = {
    'POST /jobs/draft': (_request, response) => json(response, 201, draft),
    [`GET /jobs/draft/${draft.draftId}`]: (_request, response) => json(response, 200, draft),
    [`POST /jobs/draft/${draft.draftId}/transactions`]: (_request, response) => json(response, 200, funding),
    [`GET /jobs/draft/${draft.jobId}`]: (_request, response) => problem(response, 404, 'external_draft_not_found'),
  }
  for (const [name, script] of Object.entries(added)) chain.service.scripts[name] ??= script
  return {
    ...chain,
    posting: { draft, funding, place },
    /** Makes the wallet that of a native account, which signs no transaction here. */
    becomeNative: (): void => {
      const native = { ss58: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', scheme: 'sr25519' } as const
      chain.state.writeSession({ ...chain.state.getSession(), native })
    },
  }
}
export type ScriptedPosting = Awaited<ReturnType<typeof startScriptedPosting>>
