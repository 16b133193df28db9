package search

import "strings"

// empty holds for words that say nothing about what is looked for, in English and in French. Accents are folded.
func empty(word string) bool {
	return strings.Contains(emptyWords, " "+word+" ")
}

const emptyWords = " a an the of to in on at for from with by into onto as is are was were be been being am do does did doing done " +
	"has have had can could should would will shall may might must this that these those there here it its i me my mine we us our you your " +
	"he she his her him they them their one ones some any and or but if then so than too very just please want need like how what which who " +
	"whom when where why s t re ve ll d m not no up out about over under again once each both few other own same such only via per etc " +
	"someone somebody something anyone else going gonna let lets thing things stuff " +
	"le la les l un une des du de d au aux ce cet cette ces c ca cela mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs je j " +
	"tu il elle on nous vous ils elles me te se lui y en ne pas n qu que qui quoi dont ou et est es suis sommes sont etait ete etre avoir ai " +
	"as avons avez ont a par pour sur sous dans avec sans chez entre vers si mais donc car plus moins tres bien aussi veux voudrais peux " +
	"peut pouvez faut s il est quel quelle quels quelles comment combien quand pourquoi moi toi soi tout tous toute toutes meme autre autres " +
	"quelqu quelque quelques chose choses "
