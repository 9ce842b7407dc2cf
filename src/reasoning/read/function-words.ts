const FUNCTION = new Set(
  `a an the this that these those some any all every each both either neither no my your our their his her its another
   what which whose who whom where when why how is are was were be been being am do does did have has had can could will
   would shall should may might must i you he she it we they me him them us and or but nor so because while than if
   whether not never of to from for with without in on at by into onto over under above below near beside next between
   behind inside within through against about as there here then very too also else except besides apart please now
   just still ever already yet 's up down off out more most less least many much few several other same such like one
   only before after since until during ago today yesterday tomorrow let us going go went gone get got see saw seen find
   found put left say says said tell told know knew think need want use make take took come came give look
   looks looking again away back anywhere somewhere everywhere nowhere anymore instead anyway really actually maybe perhaps together whole any more than was`.split(
    /\s+/,
  ),
);

/** A function word: it connects a sentence, and is no name or description. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION.has(word);
}
