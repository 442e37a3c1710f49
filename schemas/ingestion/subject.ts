import { subject } from '../subject.ts'

export const ingestion = subject({
  name: 'ingestion',
  buildsOn: ['catalogue', 'verification', 'pull-requests', 'codehost', 'postings', 'lanes'],
})
