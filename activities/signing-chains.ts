import type { Settings } from '../schemas/settings.ts'
import { type ChainClients, CONTRACT_ROLES, createChainClients, type SigningChain } from './chain/clients.ts'
import type { BatchLimit } from './chain/node/batch-limit.ts'
import { readPaymentTerms } from './paid-verification/payment/chain.ts'

type PaymentSettings = Parameters<typeof readPaymentTerms>[0] & Pick<Settings, 'SETTLER_KEY'>

/**
 * Every chain that the service signs on: that of the contracts first, then the payment chain where it is another one. `batches` bounds the requests to the
 * node of the payment chain. Throws a `SettingsError` for a bad chain file.
 */
export const readSigningChains = (settings: PaymentSettings, contracts: ChainClients, batches?: BatchLimit): readonly SigningChain[] => {
  const payment = readPaymentTerms(settings)
  if (payment === null) return [{ clients: contracts, roles: CONTRACT_ROLES }]
  if (payment.file.chainId === contracts.chainId) return [{ clients: contracts, roles: [...CONTRACT_ROLES, 'settler'] }]
  return [
    { clients: contracts, roles: CONTRACT_ROLES },
    { clients: createChainClients(payment.file, batches), roles: ['settler'] },
  ]
}
