import packageFile from '../../package.json' with { type: 'json' }
import { USER_AGENT_NAME } from '../../schemas/product.ts'
import type { Settings } from '../../schemas/settings.ts'

/** User agent of requests to sources, as MediaWiki asks for it: name and version, contact, library and version. */
export const userAgentOf = (contact: string): string =>
  `${USER_AGENT_NAME}/${packageFile.version} (${contact.replace(/[^\x20-\x7e]|[()]/g, '')}) node/${process.versions.node}`

export type ContactSettings = Pick<Settings, 'INGEST_USER_AGENT_CONTACT' | 'PUBLIC_BASE_URL' | 'HOST' | 'PORT'>

/** How the owner of a source reaches the operator: the contact that the operator set, else the address of the service. */
export const sourceContact = ({ INGEST_USER_AGENT_CONTACT, PUBLIC_BASE_URL, HOST, PORT }: ContactSettings): string =>
  INGEST_USER_AGENT_CONTACT ?? PUBLIC_BASE_URL ?? `http://${HOST}:${PORT}`
