import { z } from 'zod'
import { trimmedText } from '../operations/values.ts'

/** Categories of English articles that need maintenance, the default of a run. */
export const MAINTENANCE_CATEGORIES: readonly string[] = [
  'All articles with dead external links',
  'All articles with unsourced statements',
  'All Wikipedia articles in need of updating',
  'Articles using infobox templates with no data rows',
]

const DEFAULT_LANGUAGE = 'en'

const hasCategoriesOfEdition = ({ language, categories }: { language: string; categories: readonly string[] }): boolean =>
  language === DEFAULT_LANGUAGE || categories.some((name) => !MAINTENANCE_CATEGORIES.includes(name))

/** Inputs of a run of the encyclopedia. */
export const WikipediaInput = z
  .strictObject({
    language: z
      .string()
      .regex(/^[a-z]{2,12}(?:-[a-z]{2,12}){0,2}$/)
      .default(DEFAULT_LANGUAGE)
      .describe('Edition, as in its host name.'),
    categories: z
      .array(trimmedText(1, 200))
      .min(1)
      .max(10)
      .default([...MAINTENANCE_CATEGORIES])
      .describe('Names of categories without their prefix; by default those of English articles that need maintenance.'),
  })
  .refine(hasCategoriesOfEdition, { path: ['categories'], error: 'must name categories of this edition' })
export type WikipediaInput = z.infer<typeof WikipediaInput>

/** Kinds of maintenance, as the job schemas name them. */
export const WIKIPEDIA_TASKS = ['citation_repair', 'freshness_check', 'infobox_consistency'] as const
export type WikipediaTask = (typeof WIKIPEDIA_TASKS)[number]

/** An article as the action API lists it. */
export interface WikipediaItem {
  language: string
  /** Null where the edition names no page. */
  pageId: number | null
  /** As the edition wrote it, at most 300 characters; empty without one. */
  title: string
  /** 0 for articles; null where the answer lacks it. */
  namespace: number | null
  /** Digits of the latest revision; null without one. */
  revisionId: string | null
  /** ISO instant of the latest revision; null without a readable one. */
  revisedAt: string | null
  /** Length of the wikitext in bytes; null where the answer lacks it. */
  sizeBytes: number | null
  isMissing: boolean
  isRedirect: boolean
  /** Category of the input in which the page was found. */
  category: string
  /** Maintenance templates of the page that the service knows, without prefix. */
  templates: string[]
}
