import { z } from 'zod'
import { OPEN_DATA_KINDS } from './open-data.ts'

/** Base address of a source of work, as its documents name it; no trailing slash. */
const address = (standard: string) => z.url({ protocol: /^https?$/ }).default(standard)

export const settings = {
  /** Requests that one run may make of its source. */
  INGEST_REQUEST_BUDGET: z.coerce.number().int().min(1).max(10_000).default(200),
  /** Listed jobs of one source that may wait for a claim. */
  INGEST_OPEN_CAP: z.coerce.number().int().min(1).max(1_000).default(20),
  /** Stars that the repository of an issue has at least, unless the query of the run names it. */
  INGEST_MINIMUM_STARS: z.coerce.number().int().min(0).max(1_000_000).default(10),
  /** API of the vulnerability database. */
  OSV_API_URL: address('https://api.osv.dev'),
  /** Catalogue of public data sets. */
  OPEN_DATA_API_URL: address('https://catalog.data.gov'),
  /** Interface of that catalogue: the search of data.gov, or the actions of CKAN. */
  OPEN_DATA_KIND: z.enum(OPEN_DATA_KINDS).default('datagov'),
  /** List of interface documents. The documents themselves are fetched from the addresses that it names. */
  OPENAPI_LIST_URL: address('https://api.apis.guru/v2/list.json'),
  /** Catalogue of standards. */
  STANDARDS_API_URL: address('https://datatracker.ietf.org'),
  /** Records and pages of the standards of that catalogue. They are fetched as addresses that content names. */
  STANDARDS_PAGES_URL: address('https://www.rfc-editor.org'),
  /** How the owner of a source reaches the operator: an address or a mailbox. Stands in the user agent of each request to a source. */
  INGEST_USER_AGENT_CONTACT: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]{3,200}$/, { error: 'must be an address or a mailbox without spaces and parentheses' })
    .optional(),
}
