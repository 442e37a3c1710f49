import { subject } from '../subject.ts'

export const sandbox = subject({ name: 'sandbox', kind: 'technical', buildsOn: ['common'] })
