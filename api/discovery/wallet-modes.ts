import { depositOf, REMEDIES } from '../../domain/identity/native/earning.ts'
import { MAPPING_STORAGE } from '../../domain/identity/native/mapping.ts'
import type { ChainFile, NativeSide } from '../../schemas/chain/chain-file.ts'
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

/** Members of the modes in use, and of those that are not served yet. */
const SUPPORTED = {
  status: 'supported',
  addressFormat: '0x and 40 hex digits',
  authScheme: 'SIWE_JWT',
  signMessageMethod: 'personal_sign',
  bootstrap: BOOTSTRAP,
  readinessChecks: CHECKS,
}
/** Status of a mode that is not served yet. */
export const PLANNED_STATUS = 'planned'
const PLANNED = { status: PLANNED_STATUS, supportedWallets: [], notes: [], currentBlocker: 'not_in_this_release' }

/** What an account has to do before it earns, with the deposit that the chain holds for it. */
const mappingRequirement = (native: NativeSide, asset: string) => {
  const { text, ...calls } = REMEDIES[native.mappingMechanism]
  return {
    requiredFor: 'earning: claims, submissions, deposits, credit and consents; reading needs no mapping',
    mappingMechanism: native.mappingMechanism,
    remedy: { pallet: MAPPING_STORAGE.pallet, ...calls, rpcUrls: native.substrateRpcUrls, description: text },
    deposit: depositOf(native, asset),
    notNeededFor: 'accounts whose id is a 0x address followed by twelve bytes 0xEE',
  }
}

/** Native accounts; planned on a chain whose file names no native side. */
const nativeMode = ({ native, nativeSymbol }: ChainFile): Omit<WalletMode, 'chain'> => {
  const mode = {
    id: 'substrate-native',
    addressFormat: 'SS58',
    authScheme: 'SIWE_JWT',
    signMessageMethod: 'sr25519 or ed25519',
  }
  const payoutGuidance = 'Rewards are credited to the 0x address that the chain derives from the account id, in the account contract.'
  if (native === undefined) {
    const accountGuidance = 'Use an EVM account: this chain serves no native accounts.'
    return {
      ...PLANNED,
      ...mode,
      currentBlocker: 'not_on_this_chain',
      setup: { accountGuidance, secretHandling: SECRETS, payoutGuidance },
      readinessChecks: [],
    }
  }
  return {
    ...SUPPORTED,
    ...mode,
    supportedWallets: [
      'browser extensions that sign raw text',
      'hardware devices with an ed25519 key',
      'sr25519 or ed25519 key pairs made by the agent',
    ],
    setup: {
      accountGuidance: 'Use an account for this agent alone. The prefix of its address does not count: one key is one account.',
      secretHandling: SECRETS,
      payoutGuidance,
    },
    bootstrap: [
      'POST /auth/nonce with the SS58 address',
      'sign the returned message as raw text; extensions put <Bytes> and </Bytes> around it',
      'POST /auth/verify with message and signature',
      'map the account before it earns; GET /auth/session shows whether it is mapped',
    ],
    mappingRequirement: mappingRequirement(native, nativeSymbol),
    notes: ['An unmapped account signs in and reads. A key of ECDSA signs in as an EVM account.'],
  }
}

/** Sign-in modes on the chain of this service. A mode that is not served yet names its blocker. */
export const walletModes = (chain: ChainFile): WalletMode[] => {
  const modes: Omit<WalletMode, 'chain'>[] = [
    {
      ...SUPPORTED,
      id: 'evm-siwe',
      supportedWallets: ['MetaMask-class wallets', 'dedicated EVM accounts', 'contract wallets (EIP-1271, ERC-6492 before deployment)'],
      setup: {
        accountGuidance: 'Use an account for this agent alone, apart from personal, treasury, verifier and admin wallets.',
        secretHandling: SECRETS,
        payoutGuidance: 'Rewards are credited to this address in the account contract.',
      },
      notes: ['While the chain cannot be read, only externally owned accounts can sign in.'],
    },
    {
      ...SUPPORTED,
      id: 'agent-self-custody',
      supportedWallets: ['EVM key pair made by the agent'],
      setup: {
        accountGuidance: 'Let the agent make a key pair of its own.',
        secretHandling: SECRETS,
        payoutGuidance: 'Rewards are credited to this address; withdraw them with a transaction of your own.',
      },
      notes: ['The service never makes or holds the key.', 'A fresh wallet without any transaction can earn.'],
    },
    nativeMode(chain),
    {
      ...SUPPORTED,
      status: 'supported, operator-issued',
      id: 'service-token',
      addressFormat: '0x service subject',
      supportedWallets: ['any EVM address; its key is not needed to use the token'],
      authScheme: 'SERVICE_TOKEN_JWT',
      signMessageMethod: 'none',
      setup: {
        accountGuidance: 'An admin issues the token for one wallet and names every capability that it has.',
        secretHandling: 'The token is shown once, to the admin. It replaces the key of the wallet on the machine that uses it.',
        payoutGuidance: 'The token earns for its wallet. Only the key of the wallet withdraws.',
      },
      bootstrap: ['ask the operator for a token with the capabilities of the work', 'GET /auth/session shows what the token may do'],
      readinessChecks: ['scoped-service-token'],
      notes: ['It is never refreshed: an admin rotates it. What needs the sign-in of the wallet itself refuses it.'],
    },
  ]
  return modes.map((mode) => ({ ...mode, chain: chainOf(chain) }))
}
