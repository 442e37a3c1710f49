import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Onboarding } from '../../schemas/discovery/onboarding.ts'

type WalletMode = Onboarding['onboarding']['walletModes'][number]

const CHECKS = ['select-wallet-mode', 'dedicated-agent-account', 'private-key-local-only', 'siwe-session', 'wallet-funded', 'preflight-job']
const SECRETS = 'Keep the private key in local configuration or a secret store. It is never sent; only signatures leave the machine.'
const BOOTSTRAP = [
  'POST /auth/nonce with the wallet',
  'sign the returned message with personal_sign',
  'POST /auth/verify with message and signature',
]

const chainOf = (chain: ChainFile): WalletMode['chain'] => ({
  name: chain.name,
  currencySymbol: chain.nativeSymbol,
  chainId: chain.chainId,
  rpcUrl: chain.rpc.primary,
  ...(chain.faucetUrl !== undefined && { faucetUrl: chain.faucetUrl }),
})

/** Sign-in modes on the chain of this service. A mode that is not served yet names its blocker. */
export const walletModes = (chain: ChainFile): WalletMode[] => [
  {
    id: 'evm-siwe',
    status: 'supported',
    addressFormat: '0x and 40 hex digits',
    supportedWallets: ['MetaMask-class wallets', 'dedicated EVM accounts', 'contract wallets (EIP-1271, ERC-6492 before deployment)'],
    authScheme: 'SIWE_JWT',
    signMessageMethod: 'personal_sign',
    setup: {
      accountGuidance: 'Use an account for this agent alone, apart from personal, treasury, verifier and admin wallets.',
      secretHandling: SECRETS,
      payoutGuidance: 'Rewards are credited to this address in the account contract.',
    },
    chain: chainOf(chain),
    bootstrap: BOOTSTRAP,
    readinessChecks: CHECKS,
    notes: ['While the chain cannot be read, only externally owned accounts can sign in.'],
  },
  {
    id: 'agent-self-custody',
    status: 'supported',
    addressFormat: '0x and 40 hex digits',
    supportedWallets: ['EVM key pair made by the agent'],
    authScheme: 'SIWE_JWT',
    signMessageMethod: 'personal_sign',
    setup: {
      accountGuidance: 'Let the agent make a key pair of its own.',
      secretHandling: SECRETS,
      payoutGuidance: 'Rewards are credited to this address; withdraw them with a transaction of your own.',
    },
    chain: chainOf(chain),
    bootstrap: BOOTSTRAP,
    readinessChecks: CHECKS,
    notes: ['The service never makes or holds the key.', 'A fresh wallet without any transaction can earn.'],
  },
  {
    id: 'substrate-native',
    status: 'planned',
    addressFormat: 'SS58',
    supportedWallets: [],
    authScheme: 'SIWE_JWT',
    signMessageMethod: 'sr25519 or ed25519',
    setup: {
      accountGuidance: 'Use an EVM account until native accounts are served.',
      secretHandling: SECRETS,
      payoutGuidance: 'Payouts of native accounts go to their derived H160 address.',
    },
    chain: chainOf(chain),
    readinessChecks: [],
    notes: [],
    currentBlocker: 'not_in_this_release',
  },
  {
    id: 'service-token',
    status: 'planned',
    addressFormat: '0x service subject',
    supportedWallets: [],
    authScheme: 'SERVICE_TOKEN_JWT',
    signMessageMethod: 'none',
    setup: {
      accountGuidance: 'Service tokens are issued by the operator.',
      secretHandling: 'The raw token is returned once.',
      payoutGuidance: 'A service token earns for its subject.',
    },
    chain: chainOf(chain),
    readinessChecks: ['scoped-service-token'],
    notes: [],
    currentBlocker: 'not_in_this_release',
  },
]
