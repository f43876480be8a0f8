/** Returns the anchors of one page's headings, formed as GitHub forms them, so that links work there and here. */
export function createSlugs(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}
