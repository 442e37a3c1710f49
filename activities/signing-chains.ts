import type { Logger } from 'pino'
import type { Settings } from '../schemas/settings.ts'
import { type ChainClients, CONTRACT_ROLES, createChainClients, type SigningChain } from './chain/clients.ts'
import { openChainNodes } from './chain/node/nodes.ts'
import { readPaymentTerms } from './paid-verification/payment/chain.ts'

type PaymentSettings = Parameters<typeof readPaymentTerms>[0] & Pick<Settings, 'SETTLER_KEY'> & Parameters<typeof openChainNodes>[1]

/**
 * Every chain that the service signs on: that of the contracts first, then the payment chain where it is another one. Throws a `SettingsError` for a bad chain file.
 */
export const readSigningChains = (
  settings: PaymentSettings,
  contracts: ChainClients,
  logger?: Pick<Logger, 'warn'>,
): readonly SigningChain[] => {
  const payment = readPaymentTerms(settings)
  if (payment === null) return [{ clients: contracts, roles: CONTRACT_ROLES }]
  if (payment.file.chainId === contracts.chainId) return [{ clients: contracts, roles: [...CONTRACT_ROLES, 'settler'] }]
  return [
    { clients: contracts, roles: CONTRACT_ROLES },
    { clients: createChainClients(payment.file, openChainNodes(payment.file, settings, logger)), roles: ['settler'] },
  ]
}
