// Places of a run at which a trap may lie, by what leaves a service there.
import { getAbiItem, toFunctionSelector } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import type { Trap } from '../trap.ts'

type Where = Pick<Trap, 'when' | 'call' | 'of'> & Partial<Trap>
type EscrowCall =
  | 'claimJobFor'
  | 'handleClaimTimeout'
  | 'submitWorkFor'
  | 'resolveSinglePayout'
  | 'openDisputeFor'
  | 'resolveDispute'
  | 'finalizeRejectedJob'
  | 'autoResolveOnTimeout'

/** A statement of a service. */
export const sql = (service: 'api' | 'worker', where: Where): Trap => ({ in: service, on: 'sql', ...where })
/** A call of the workflow engine. */
export const engine = (service: 'api' | 'worker', where: Where): Trap => ({ in: service, on: 'engine', ...where })

/** What a raw transaction holds that calls this function of the escrow. */
export const selector = (name: EscrowCall): string => toFunctionSelector(getAbiItem({ abi: escrowCoreAbi, name })).slice(2)
export const SEND = 'eth_sendRawTransaction'

/** A raw transaction of this job on its way to the node; without a function the first one. */
export const send = (when: Trap['when'], of: string[], more: Partial<Trap> = {}): Trap => ({
  in: 'worker',
  on: 'rpc',
  when,
  call: SEND,
  of: ['{chainJob}', ...of],
  ...more,
})

/** Signed bytes of a step of this job on their way into the journal. */
export const signing = (of: string[]) => ({ call: '^insert into "chain_transaction"', of: ['{job}', ...of] })
/** A step of this job is looked up in the journal: it has no nonce, and nothing is signed. */
export const lookup = (of: string[]) => ({ call: '^select .* from "chain_transaction"', of: ['{job}', ...of] })
/** The outcome of a transaction on its way into the journal. */
export const outcome = (of: string[]) => ({ call: '^update "chain_transaction".*"block_number"', of: ['{job}', ...of] })

export const BADGE = { call: '^insert into "badge"', of: ['{job}'] }

export const before = { when: 'before' } as const
export const after = { when: 'after' } as const
/** Everything of the transaction in which the statement stands is written, and its commit has not left: what is written past it stays. */
export const written = { when: 'before', atCommit: true } as const
/** After the commit of that transaction. */
export const committed = { when: 'after', atCommit: true } as const
