import type { Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { ChainClients } from './clients.ts'
import type { BlockRef } from './node/answers.ts'
import {
  BOUNDARY,
  type BuiltTemplates,
  broadcastBy,
  buildTemplates,
  expectedView,
  type TemplatePlan,
  type TemplateStep,
} from './templates.ts'

/** A block as answers name it. */
export const blockView = ({ number, hash }: BlockRef) => ({ number: number.toString(), hash })

/** The settlement asset as answers name it. */
export const assetView = ({ symbol, address, decimals }: ChainFile['asset']) => ({ symbol, address: address.toLowerCase(), decimals })

/** Instructions of a wallet that sends the steps of a pool; `order` says what to wait for between two steps. */
export const sendInstructions = (wallet: Hex, steps: readonly TemplateStep[], order: string, notes: readonly string[]): string[] => [
  `Sign and send each template from ${wallet}.`,
  ...(steps.length > 1 ? [order] : []),
  ...notes,
  'Compare the balances afterwards with `expected`.',
]

/** Members of every answer with unsigned transactions. */
export const transactionsView = (chain: ChainFile, wallet: Hex, block: BlockRef, built: BuiltTemplates, instructions: string[]) => ({
  schemaVersion: 1 as const,
  available: true as const,
  wallet,
  block: blockView(block),
  templates: built.templates,
  ...expectedView(built, block),
  instructions,
  broadcast: broadcastBy(chain, wallet),
  boundary: BOUNDARY,
})

/** Builds the transactions of a plan on the state of a block, with the members that every answer has of them. */
export const buildTransactions = async (
  { chain, clients }: { chain: ChainFile; clients: ChainClients },
  wallet: Hex,
  block: BlockRef,
  { instructions, ...plan }: TemplatePlan & { instructions: string[] },
) => transactionsView(chain, wallet, block, await buildTemplates(clients, wallet, plan, block), instructions)
