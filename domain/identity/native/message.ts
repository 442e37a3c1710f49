import type { Hex } from '../../common/hashes.ts'

/** Members of a sign-in message of a native account. Times are ISO 8601. */
export interface NativeMessage {
  domain: string
  /** SS58 address; prefix 0 in every message of this service. */
  address: string
  statement: string
  uri: string
  /** CAIP-2 id of the network. */
  chainId: string
  /** 32 lower-case hex digits. */
  nonce: string
  issuedAt: string
  expirationTime: string
  /** The request of OAuth that the signature answers. */
  requestId?: string
  /** Addresses that the token is for. */
  resources?: readonly string[]
}

/** CAIP-2 id of a network by its genesis hash: a signature for one network does not serve on another. */
export const nativeChainId = (genesisHash: Hex): string => `polkadot:${genesisHash.slice(2, 34)}`

/** The text that a native account signs. Source: identity, "Native sign-in", message. */
export const formatNativeMessage = (message: NativeMessage): string =>
  [
    `${message.domain} wants you to sign in with your Substrate account:`,
    message.address,
    '',
    message.statement,
    '',
    `URI: ${message.uri}`,
    'Version: 1.0.0',
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
    `Expiration Time: ${message.expirationTime}`,
    ...(message.requestId === undefined ? [] : [`Request ID: ${message.requestId}`]),
    ...(message.resources === undefined ? [] : ['Resources:', ...message.resources.map((resource) => `- ${resource}`)]),
  ].join('\n')

const FIRST_LINE = /^[\w.:[\]-]+ wants you to sign in with your Substrate account:\n/

/** Whether a text begins as the sign-in message of a native account. */
export const isNativeText = (text: string): boolean => FIRST_LINE.test(text)

const LINES = [
  String.raw`(?<domain>[\w.:[\]-]+) wants you to sign in with your Substrate account:`,
  '(?<address>[1-9A-HJ-NP-Za-km-z]{1,64})',
  '',
  String.raw`(?<statement>[\x20-\x7e]+)`,
  '',
  String.raw`URI: (?<uri>\S+)`,
  String.raw`Version: 1\.0\.0`,
  String.raw`Chain ID: (?<chainId>\S+)`,
  'Nonce: (?<nonce>[0-9a-f]{32})',
  String.raw`Issued At: (?<issuedAt>[\x20-\x7e]*)`,
  String.raw`Expiration Time: (?<expirationTime>[\x20-\x7e]+)`,
]
const MESSAGE = new RegExp(
  String.raw`^${LINES.join('\n')}(?:\nRequest ID: (?<requestId>[\x21-\x7e]+))?(?:\nResources:(?<resources>(?:\n- \S+)+))?$`,
)

/** The members of a text, in the one form that `formatNativeMessage` gives; null for any other text. Times may still be unreadable. */
export const parseNativeMessage = (text: string): NativeMessage | null => {
  const found = MESSAGE.exec(text)?.groups
  if (found === undefined) return null
  const { resources, requestId, ...members } = found
  return {
    ...(members as Omit<NativeMessage, 'requestId' | 'resources'>),
    ...(requestId !== undefined && { requestId }),
    ...(resources !== undefined && { resources: resources.slice(3).split('\n- ') }),
  }
}
