/** Texts of strangers that must stay texts in every page and picture. */
export const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '<!-- --><iframe src=//evil.example>',
  'javascript:alert(1)',
  '&lt;b&gt; &amp; &#60;i&#62;',
  '{{7*7}} `backtick` <%= x %>',
  '\u202Eright to left\u202C',
  'W'.repeat(239),
]

/** Names of the tags of a page or picture, in their order. */
export const tagsOf = (text: string): string[] => [...text.matchAll(/<\/?[a-z][^\s>]*/gi)].map(([tag]) => tag)
