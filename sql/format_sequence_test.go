package sql

import (
	"reflect"
	"strconv"
)

func (f *formatter) createSchema(s *CreateSchema) {
	f.put("create schema ")
	f.putIf(s.IfNotExists, "if not exists ")
	f.putIf(s.Name.Name != "", quoteName(s.Name.Name))
	if s.Owner != nil {
		f.put(" authorization ")
		f.role(*s.Owner)
	}
}

func (f *formatter) createSequence(s *CreateSequence) {
	f.create(false, s.Temporary, "sequence")
	f.putIf(s.IfNotExists, "if not exists ")
	f.name(s.Name)
	f.sequenceOptions(&s.Options)
}

func (f *formatter) alterSequence(s *AlterSequence) {
	f.put("alter sequence ")
	f.putIf(s.IfExists, "if exists ")
	f.name(s.Name)
	switch {
	case s.Rename.Name != "":
		f.put(" rename to ", quoteName(s.Rename.Name))
	case s.Owner != nil:
		f.put(" owner to ")
		f.role(*s.Owner)
	}
	f.sequenceOptions(&s.Options)
}

func (f *formatter) sequenceOptions(o *SequenceOptions) {
	number := func(words string, n *int64) {
		if n != nil {
			f.put(words, " ", strconv.FormatInt(*n, 10))
		}
	}
	if o.Type != nil {
		f.put(" as ")
		f.typeName(*o.Type)
	}
	number(" increment by", o.Increment)
	number(" minvalue", o.Min)
	f.putIf(o.NoMin, " no minvalue")
	number(" maxvalue", o.Max)
	f.putIf(o.NoMax, " no maxvalue")
	number(" start with", o.Start)
	number(" cache", o.Cache)
	if o.Cycle != nil {
		f.putIf(!*o.Cycle, " no")
		f.put(" cycle")
	}
	f.putIf(o.Restart, " restart")
	number(" with", o.RestartAt)
	f.putIf(o.OwnedByNone, " owned by none")
	if o.OwnedBy != nil {
		f.put(" owned by ")
		f.name(o.OwnedBy)
	}
	if o.Named != nil {
		f.put(" sequence name ")
		f.name(o.Named)
	}
}

func (f *formatter) identity(i *Identity) {
	f.put(" generated ")
	f.putIf(i.Always, "always")
	f.putIf(!i.Always, "by default")
	f.put(" as identity")
	if !reflect.ValueOf(i.Options).IsZero() {
		f.put(" (")
		f.sequenceOptions(&i.Options)
		f.put(")")
	}
}
