import { type PlaceholderText, placeholderOf } from '../../domain/catalogue/placeholder.ts'
import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import { computeAnswers } from './answers.ts'

const pullRequestOf = ({ source }: JobDefinition): string => `https://codehost.example/${source?.repo}/pull/7`

function words(definition: JobDefinition): PlaceholderText {
  const config = definition.verifierConfig
  switch (config.handler) {
    case 'benchmark':
      return (name) => `${name.replaceAll('_', ' ')}: this covers ${config.requiredKeywords.join(', ')}.`
    case 'deterministic':
      return () => {
        const answers = computeAnswers(definition.description)
        return config.matchMode === 'exact' ? answers[0] : `Found: ${answers.join('; ')}.`
      }
    case 'verification_profile':
    case 'human_fallback':
      return (name) => `${name.replaceAll('_', ' ')}: written for the person who reads it.`
    case 'codehost_pr':
      return (name) => (name === 'prUrl' ? pullRequestOf(definition) : 'npm test: 12 passed')
  }
}

/**
 * A submission for a seed or generated job: valid by its schema, and approved by an automatic verifier. Answers are computed from the text of
 * the task. For demo and tests only.
 */
export function solve(definition: JobDefinition): Record<string, unknown> {
  const schema = jobSchemaByRef(definition.outputSchemaRef)
  if (schema === undefined) throw new Error(`No built-in schema ${definition.outputSchemaRef}`)
  return placeholderOf(schema, 'value', words(definition)) as Record<string, unknown>
}
