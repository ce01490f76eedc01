package main
import ("fmt";"os";"runtime/pprof";"strings";"time"
"github.com/memc-lang/memc/internal/driver"
"github.com/memc-lang/memc/internal/pipeline"
"github.com/memc-lang/memc/ir")
func main(){
 w,_:=os.Create(os.Args[1]); 
 lim:=60
 go func(){ time.Sleep(time.Duration(lim)*time.Second); pprof.StopCPUProfile(); w.Close(); fmt.Println("TIMEOUT"); os.Exit(1)}()
 f,err:=driver.ReadSource(os.Args[2]); if err!=nil{panic(err)}
 pprof.StartCPUProfile(w)
 t0:=time.Now()
 var prog *ir.Program
 if strings.Contains(os.Args[2], "fut_") { p,l:=driver.Import(f); if l.Err()!=nil{panic(l.Err())}; prog=p } else { p,l:=driver.Check(f); if l.Err()!=nil{panic(l.Err())}; prog=p }
 fmt.Println("front", time.Since(t0))
 passes:=pipeline.DefaultPasses()
 if len(os.Args)>3 { passes,_=pipeline.Parse(os.Args[3]) }
 r,err:=pipeline.Run(prog,passes,pipeline.Options{Verify:true,Limit:map[string]int{}})
 if err!=nil{panic(err)}
 pprof.StopCPUProfile()
 r.WriteTimes(os.Stdout)
 w.Close()
}
