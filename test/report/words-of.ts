/** The words of a page: no markup, white space as one space, no-break spaces as spaces. */
export function wordsOf(page: string): string {
  return page
    .replace(/<style>.*?<\/style>|<svg.*?<\/svg>/gs, ' ')
    .replace(/<\/?(?:span|bdi|strong|em|a|code)(?: [^>]*)?>/g, '')
    .replace(/<[^>]*>|&nbsp;|\u00a0/g, ' ')
    .replace(/\s+/g, ' ');
}
