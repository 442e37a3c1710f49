import { z } from 'zod'
import { trimmedText } from '../operations/values.ts'
import type { CommittedFacts } from './record.ts'

/** Interfaces of data portals that the service reads. */
export const OPEN_DATA_KINDS = ['datagov', 'ckan'] as const
export type OpenDataKind = (typeof OPEN_DATA_KINDS)[number]

/** Inputs of a run of a data portal. */
export const OpenDataInput = z
  .strictObject({
    datasets: z.array(trimmedText(1, 300)).min(1).max(50).optional().describe('Ids of data sets, as the portal names them.'),
    query: trimmedText(1, 200).optional().describe("Words of the portal's search."),
    organization: z
      .string()
      .max(100)
      .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/)
      .optional()
      .describe('Short name of the organisation that publishes the data sets.'),
  })
  .refine(({ datasets, query }) => (datasets === undefined) !== (query === undefined), {
    path: ['query'],
    error: 'must stand alone: give either datasets or query',
  })
export type OpenDataInput = z.infer<typeof OpenDataInput>

/** The one resource of a data set that a job is about. */
export interface OpenDataResource {
  /** At most 300 characters; null without one. */
  title: string | null
  /** Absolute address, at most 2,000 characters. */
  url: string
  /** Upper case, such as `CSV`; null where the portal names none. */
  format: string | null
}

/** A data set as its portal lists it, and what its resource delivered. */
export interface OpenDataItem {
  kind: OpenDataKind
  /** Host of the portal, such as `catalog.data.gov`. */
  portal: string
  /** Short name or id within the portal, at most 300 characters. */
  datasetId: string
  /** Texts of the portal, at most 300 characters each; null without one. */
  title: string | null
  agency: string | null
  license: string | null
  /** Page of the data set; null without one. */
  datasetUrl: string | null
  /** ISO instant of the last change of the data; null without a readable one. */
  modifiedAt: string | null
  isPublic: boolean
  isMissing: boolean
  resource: OpenDataResource | null
  /** Facts of the fetched resource; null where it was not read. They are what a worker has to find. */
  facts: CommittedFacts | null
  /** Why the resource could not be read; null where it was, or was not fetched. */
  resourceFault: string | null
  /** ISO instant of the reading, wall clock. */
  readAt: string
}
